import type { Database } from './open-database.ts'
import { quoteName } from './quote.ts'

/** When the last of all records was made; undefined if none tells. */
export function newestDate(database: Database, tables: readonly string[]): Date | undefined {
  const hasDate = database
    .prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'created_at'")
    .pluck()
  const selects = tables
    .filter((table) => hasDate.get(table))
    .map((table) => `SELECT max(unixepoch(created_at)) AS made FROM ${quoteName(table)}`)
  if (selects.length === 0) return undefined
  const made = database
    .prepare<[], number | null>(`SELECT max(made) FROM (${selects.join(' UNION ALL ')})`)
    .pluck()
    .get()
  return made == null ? undefined : new Date(made * 1000)
}
