import type { Database } from './open-database.ts'
import { quoteName } from './quote.ts'

/**
 * The latest date in these members of all records, or of those of one archive; `created_at` by default, undefined without
 * one. Ignores dates after `until`.
 */
export function newestDate(
  database: Database,
  tables: readonly string[],
  {
    members = ['created_at'],
    until,
    archive,
  }: { members?: readonly string[]; until?: Date; archive?: number | undefined } = {},
): Date | undefined {
  const columnsOf = database
    .prepare<[string, string], string>(
      'SELECT name FROM pragma_table_info(?) WHERE name IN (SELECT value FROM json_each(?))',
    )
    .pluck()
  const limit = until && Math.floor(until.getTime() / 1000)
  const dateIn = (column: string) => {
    const time = `unixepoch(${quoteName(column)})`
    return limit === undefined ? time : `CASE WHEN ${time} <= ${limit} THEN ${time} END`
  }
  const where = archive === undefined ? '' : ` WHERE _archive = ${archive}`
  const selects = tables.flatMap((table) => {
    const columns = columnsOf.all(table, JSON.stringify(members))
    const dates = columns.map((column) => `max(${dateIn(column)}) AS made`)
    // One statement per table, so that each is read once.
    return dates.length > 0 ? [`SELECT ${dates.join(', ')} FROM ${quoteName(table)}${where}`] : []
  })
  const found = selects.flatMap((select) => database.prepare(select).raw().get() as unknown[])
  const times = found.filter((time) => typeof time === 'number')
  return times.length === 0 ? undefined : new Date(Math.max(...times) * 1000)
}
