import { ArchiveError } from '../base/errors.ts'
import type { Database } from './open-database.ts'
import type { Row } from './schema/row-layout.ts'

/** The smallest and largest rowid that SQLite stores. */
const FIRST = -(2n ** 63n)
const LAST = 2n ** 63n - 1n

export interface PagedRows {
  /** SQL for the columns of a row, in addition to `position`. Default all. */
  columns?: string
  /** SQL for the tables, as after FROM. */
  from: string
  where?: string
  /** SQL for an integer that no two rows have in common. Default rowid. */
  key?: string
  /** Columns whose integers are read as bigint like `position`, such as rowids. Other integers are numbers. */
  bigints?: readonly string[]
  /** Rows of a page, at most. */
  size: number
}

/**
 * Reads rows in pages in the order of an integer key, the rowid by default (`position`). Memory does not grow with the
 * table, and no statement stays open between pages: the rows of a page may be changed or deleted.
 *
 * SQL may give a row any 64-bit rowid. As a JavaScript number, a rowid beyond 2⁵³ would be that of another row, and
 * paging would never end; so positions are bigints.
 */
export function* readPages<Row extends object>(
  database: Database,
  { columns = '*', from, where = 'true', key = 'rowid', bigints = [], size }: PagedRows,
): Generator<(Row & { position: bigint })[]> {
  const page = database
    .prepare<[bigint], Row & { position: bigint }>(
      `SELECT ${key} AS position, ${columns} FROM ${from}
       WHERE ${key} >= ? AND (${where}) ORDER BY ${key} LIMIT ${size}`,
    )
    .safeIntegers()
  const isRowid = new Set(['position', ...bigints])
  for (let next = FIRST; ; ) {
    const rows = page.all(next)
    for (const row of rows) toNumbers(row as Record<string, unknown>, isRowid)
    yield rows
    const last = rows.at(-1)?.position
    if (last === undefined || rows.length < size || last === LAST) return
    next = last + 1n
  }
}

/** Characters of a page, and of one row more. */
const LONGEST_PAGE = 2 ** 22

/** The first rows of a page: few of them if they are long. */
export function takeRows(page: Iterable<Row>): Row[] {
  const rows: Row[] = []
  let length = 0
  for (const row of page) {
    rows.push(row)
    for (const value of row) if (typeof value === 'string') length += value.length
    if (length > LONGEST_PAGE) break
  }
  return rows
}

function toNumbers(row: Record<string, unknown>, isRowid: ReadonlySet<string>): void {
  for (const name in row) {
    if (typeof row[name] === 'bigint' && !isRowid.has(name)) row[name] = Number(row[name])
  }
}

/**
 * The id of a row that was inserted into a table of ours. Throws `database-damaged` if SQL has left a row with the
 * largest rowid: SQLite then gives new rows random ones, which a number cannot hold.
 */
export function insertedId({ lastInsertRowid }: { lastInsertRowid: number | bigint }): number {
  if (Number.isSafeInteger(Number(lastInsertRowid))) return Number(lastInsertRowid)
  throw new ArchiveError('database-damaged', 'a table has rows with ids beyond 2⁵³')
}
