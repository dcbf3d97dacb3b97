import type { Database } from './open-database.ts'

/**
 * The rows of a table in pages, by rowid (`position`). Memory does not grow with the table, and no statement stays open
 * between pages.
 */
export function* readPages<Row extends object>(
  database: Database,
  table: string,
  size: number,
): Generator<(Row & { position: number })[]> {
  const page = database.prepare<[number], Row & { position: number }>(
    `SELECT rowid AS position, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${size}`,
  )
  for (let last = 0; ; ) {
    const rows = page.all(last)
    yield rows
    if (rows.length < size) return
    last = rows.at(-1)?.position as number
  }
}
