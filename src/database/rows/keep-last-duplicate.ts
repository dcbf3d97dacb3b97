import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { readPages } from '../read-pages.ts'
import { KIND_OF_ENTRY, SHARED } from '../schema/kind-table.ts'
import type { Row } from '../schema/row-layout.ts'

const PAGE = 500

// A name that no table of records can have: a temporary table hides others.
const REPEATED = quoteName('urls that are repeated')

/**
 * Deletes all but the last record with each URL (and kind) from a table without indexes. Calls `report` with each, and
 * whether the last one is identical. Returns the number deleted.
 */
export function keepLastDuplicate(
  { database, name, columns }: { database: Database; name: string; columns: string },
  report: (earlier: Row, same: boolean) => void,
): number {
  const table = quoteName(name)
  const kind = name === SHARED ? KIND_OF_ENTRY : "''"
  database.exec(`
    CREATE TEMP TABLE ${REPEATED} AS
    SELECT "url", ${kind} AS kind, max(rowid) AS kept FROM ${table}
    WHERE "url" IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1`)
  const pages = readPages<{ kept: bigint }>(database, {
    columns: 'kept',
    from: `${table} JOIN ${REPEATED}
      ON ${REPEATED}."url" = ${table}."url" AND ${REPEATED}.kind = ${kind}`,
    where: `${table}.rowid < kept`,
    key: `${table}.rowid`,
    bigints: ['kept'],
    size: PAGE,
  })
  const rowOf = database.prepare(`SELECT ${columns}, rowid FROM ${table} WHERE rowid = ?`).raw()
  const remove = database.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
  let dropped = 0
  for (const rows of pages) {
    for (const { position, kept } of rows) {
      // One at a time: a record may be as large as the limit allows.
      const row = rowOf.get(position) as Row
      const later = rowOf.get(kept) as Row
      report(
        row,
        later.every((value, i) => i >= later.length - 4 || value === row[i]),
      )
      remove.run(position)
    }
    dropped += rows.length
  }
  database.exec(`DROP TABLE temp.${REPEATED}`)
  return dropped
}
