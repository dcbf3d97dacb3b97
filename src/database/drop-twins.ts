import type { Database } from './open-database.ts'
import { quoteName } from './quote.ts'
import { KIND_OF_ENTRY, SHARED } from './shared-table.ts'

/**
 * Drops records without a url that stand in an earlier archive as they do in this one: what a record says is all that
 * tells it from others then. Of several that say the same in one archive, as many stay. Returns how many were dropped.
 */
export function dropTwins(
  database: Database,
  { name, contents, archive }: { name: string; contents: readonly string[]; archive: number },
): number {
  const table = quoteName(name)
  const nameless = `FROM ${table} WHERE "url" IS NULL AND _archive`
  const isThere = (which: string) => database.prepare(`SELECT 1 ${nameless} ${which}`).get()
  if (!isThere(`= ${archive}`) || !isThere(`<> ${archive}`)) return 0
  const kind = name === SHARED ? KIND_OF_ENTRY : "''"
  const same = [kind, ...contents.map(quoteName)].join(', ')
  const { changes } = database
    .prepare(
      `DELETE FROM ${table} WHERE rowid IN (
         SELECT id FROM (
           SELECT rowid AS id, _archive,
             row_number() OVER (PARTITION BY ${same}, _archive = ${archive} ORDER BY rowid DESC) AS place,
             sum(_archive = ${archive}) OVER (PARTITION BY ${same}) AS later
           ${nameless} IS NOT NULL)
         WHERE _archive <> ${archive} AND place <= later)`,
    )
    .run()
  return changes
}
