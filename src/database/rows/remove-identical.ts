import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { KIND_OF_ENTRY, SHARED } from '../schema/kind-table.ts'
import type { ReplacementCounter } from './replacement-counter.ts'

interface Named {
  name: string
  /** The columns that make the records. */
  contents: readonly string[]
  /** The archive being loaded. */
  archive: number
  /** Archives whose records stay where those of this one say the same. */
  newer: ReadonlySet<number>
  replaced: ReplacementCounter
}

// As with other temporary tables, a name that no kind can have.
const TWINS = quoteName('twins without a url')

/**
 * Drops records without a url that stand in an earlier archive as they do in this one: what a record says is all that
 * tells it from others then. Of several that say the same in one archive, as many stay. Returns how many were dropped.
 */
export function removeIdentical(database: Database, { archive, newer, ...table }: Named): number {
  const these = `_archive = ${archive}`
  const those = `_archive IN (${[...newer].join(', ')})`
  const others = `_archive NOT IN (${[archive, ...newer].join(', ')})`
  const dropped = drop(database, table, { winners: these, losers: others })
  return dropped + (newer.size > 0 ? drop(database, table, { winners: those, losers: these }) : 0)
}

/** Drops the twins of one side; `winners` and `losers` are conditions on rows. */
function drop(
  database: Database,
  { name, contents, replaced }: Omit<Named, 'archive' | 'newer'>,
  { winners, losers }: { winners: string; losers: string },
): number {
  const table = quoteName(name)
  const nameless = `FROM ${table} WHERE "url" IS NULL`
  const isThere = (which: string) => database.prepare(`SELECT 1 ${nameless} AND ${which}`).get()
  if (!isThere(winners) || !isThere(losers)) return 0
  const kind = name === SHARED ? KIND_OF_ENTRY : "''"
  const same = [kind, ...contents.map(quoteName)].join(', ')
  database.exec(`
    CREATE TEMP TABLE ${TWINS} AS SELECT id FROM (
      SELECT rowid AS id, ${losers} AS loses,
        row_number() OVER (PARTITION BY ${same}, ${winners} ORDER BY rowid DESC) AS place,
        sum(${winners}) OVER (PARTITION BY ${same}) AS kept
      ${nameless} AND (${winners} OR ${losers}))
    WHERE loses AND place <= kept`)
  const twins = `rowid IN (SELECT id FROM temp.${TWINS})`
  replaced.noteWhere(table, twins)
  const { changes } = database.prepare(`DELETE FROM ${table} WHERE ${twins}`).run()
  database.exec(`DROP TABLE temp.${TWINS}`)
  return changes
}
