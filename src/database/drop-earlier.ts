import { quoteName } from './quote.ts'
import { reportDuplicate, type TableContext } from './record-store.ts'
import type { Row } from './shape.ts'

const PAGE = 500

/**
 * Drops all but the last record of each url from a table without indexes, and reports what is dropped.
 * Returns how many that were.
 */
export function dropEarlier(context: TableContext): number {
  const { database, name, columns } = context
  const table = quoteName(name)
  database.exec(`
    CREATE TEMP TABLE repeated AS
    SELECT "url", max(rowid) AS kept FROM ${table}
    WHERE "url" IS NOT NULL GROUP BY "url" HAVING count(*) > 1`)
  const page = database
    .prepare(
      `SELECT ${columns}, ${table}.rowid, kept FROM ${table} JOIN repeated USING ("url")
       WHERE ${table}.rowid < kept AND ${table}.rowid > ? ORDER BY ${table}.rowid LIMIT ${PAGE}`,
    )
    .raw()
  const keptRow = database.prepare(`SELECT ${columns} FROM ${table} WHERE rowid = ?`).raw()
  const remove = database.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
  let dropped = 0
  for (let last = -1; ; ) {
    const rows = page.all(last) as Row[]
    for (const row of rows) {
      const kept = row.pop()
      last = Number(row.at(-1))
      const later = keptRow.get(kept) as Row
      reportDuplicate(
        context,
        row,
        later.every((value, i) => i >= later.length - 3 || value === row[i]),
      )
      remove.run(last)
    }
    dropped += rows.length
    if (rows.length < PAGE) break
  }
  database.exec('DROP TABLE temp.repeated')
  return dropped
}
