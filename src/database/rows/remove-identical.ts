import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { KIND_OF_ENTRY, SHARED } from '../schema/kind-table.ts'
import type { ReplacementCounter } from './replacement-counter.ts'

interface Named {
  name: string
  /** The columns that make up a record. */
  contents: readonly string[]
  /** The archive being loaded. */
  archive: number
  /** Archives whose records stay if those of this one are identical. */
  newer: ReadonlySet<number>
  replaced: ReplacementCounter
}

// A name that no kind can have.
const TWINS = quoteName('twins without a url')

/**
 * Deletes records without a URL of earlier archives if this one has identical records: without a URL, the content is the
 * identity. If an archive has several identical ones, as many stay. Returns the number deleted.
 */
export function removeIdentical(database: Database, { archive, newer, ...table }: Named): number {
  const these = `_archive = ${archive}`
  const those = `_archive IN (${[...newer].join(', ')})`
  const others = `_archive NOT IN (${[archive, ...newer].join(', ')})`
  const dropped = drop(database, table, { winners: these, losers: others })
  return dropped + (newer.size > 0 ? drop(database, table, { winners: those, losers: these }) : 0)
}

/** Deletes the identical records of one side; `winners` and `losers` are SQL conditions. */
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
