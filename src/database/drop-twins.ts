import type { Database } from './open-database.ts'
import type { ReplacedRecords } from './open-replaced.ts'
import { quoteName } from './quote.ts'
import { KIND_OF_ENTRY, SHARED } from './shared-table.ts'

interface Named {
  name: string
  /** The columns that make the records. */
  contents: readonly string[]
  /** The archive being loaded. */
  archive: number
  replaced: ReplacedRecords
}

// As with other temporary tables, a name that no kind can have.
const TWINS = quoteName('twins without a url')

/**
 * Drops records without a url that stand in an earlier archive as they do in this one: what a record says is all that
 * tells it from others then. Of several that say the same in one archive, as many stay. Returns how many were dropped.
 */
export function dropTwins(
  database: Database,
  { name, contents, archive, replaced }: Named,
): number {
  const table = quoteName(name)
  const nameless = `FROM ${table} WHERE "url" IS NULL AND _archive`
  const isThere = (which: string) => database.prepare(`SELECT 1 ${nameless} ${which}`).get()
  if (!isThere(`= ${archive}`) || !isThere(`<> ${archive}`)) return 0
  const kind = name === SHARED ? KIND_OF_ENTRY : "''"
  const same = [kind, ...contents.map(quoteName)].join(', ')
  database.exec(`
    CREATE TEMP TABLE ${TWINS} AS SELECT id FROM (
      SELECT rowid AS id, _archive,
        row_number() OVER (PARTITION BY ${same}, _archive = ${archive} ORDER BY rowid DESC) AS place,
        sum(_archive = ${archive}) OVER (PARTITION BY ${same}) AS later
      ${nameless} IS NOT NULL)
    WHERE _archive <> ${archive} AND place <= later`)
  const twins = `rowid IN (SELECT id FROM temp.${TWINS})`
  replaced.noteWhere(table, twins)
  const { changes } = database.prepare(`DELETE FROM ${table} WHERE ${twins}`).run()
  database.exec(`DROP TABLE temp.${TWINS}`)
  return changes
}
