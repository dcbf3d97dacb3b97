import { ArchiveError } from '../base/errors.ts'
import type { Database, Statement } from './database.ts'
import { prepareOnce } from './prepare-once.ts'
import { quoteName } from './quote.ts'

/** Bytes of a cell, at most. A load accepts no record that is as large, unless its limit was raised. */
export const MOST_CELL = 64 * 2 ** 20

/** These may be larger: checksums of all records of a file, and of all rows of a table. Chunks have a limit of their own. */
const UNLIMITED = new Set(['checksums', 'bytes'])

/** A cell that is too large. */
export interface LargeCell {
  /** `issues.body` */
  column: string
  rowid: bigint
  bytes: number
}

/** Bytes of a database. */
export function sizeOf(database: Database, schema = 'main'): number {
  const [pages, size] = ['page_count', 'page_size'].map((name) =>
    Number(database.pragma(`${schema}.${name}`, { simple: true })),
  ) as [number, number]
  return pages * size
}

/** The databases that a connection has attached. */
export const attachedTo = (database: Database): string[] =>
  database
    .prepare<[], string>("SELECT name FROM pragma_database_list WHERE name NOT IN ('main', 'temp')")
    .pluck()
    .all()

/** The columns of a table whose cells may be large. */
export const columnsOf = (database: Database, table: string): string[] =>
  prepareOnce<[string], string>(
    database,
    `SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 AND type <> 'INTEGER'`,
  )
    .pluck()
    .all(table)
    .filter((name) => !UNLIMITED.has(name))

type Sizes = Statement<[string | number | bigint], (bigint | null)[]>

/** Statements by table and column, for each connection: to make one takes longer than to read a row. */
const sizes = new WeakMap<Database, Map<string, Sizes>>()

/** A statement that finds the rowid of a row and the bytes of its cells. */
function sizesIn(database: Database, table: string, column: 'url' | 'rowid'): Sizes {
  const known = sizes.get(database) ?? new Map<string, Sizes>()
  sizes.set(database, known)
  const key = `${column} ${table}`
  let statement = known.get(key)
  if (!statement) {
    const bytes = columnsOf(database, table).map((name) => `octet_length(${quoteName(name)})`)
    statement = database
      .prepare<[string | number | bigint], (bigint | null)[]>(
        `SELECT rowid, ${bytes.join(', ')} FROM ${quoteName(table)} WHERE ${column} = ?`,
      )
      .raw()
      .safeIntegers()
    known.set(key, statement)
  }
  return statement
}

/** Whether the database of a connection may have such a cell: it is larger than one may be, and not all cells were looked at. */
const mayBeLarge = new WeakMap<Database, boolean>()

/** All cells of a database were looked at: its rows need no further look. */
export const noteNoLargeCells = (database: Database): void => void mayBeLarge.set(database, false)

/**
 * Refuses a row with a cell larger than a record may be, before it is read. For commands that read a few rows.
 *
 * @param key the rowid, or the URL of the record
 * @throws `database-damaged`
 */
export function refuseLargeRow(
  database: Database,
  table: string,
  key: string | number | bigint,
): void {
  const isLarge = mayBeLarge.get(database) ?? sizeOf(database) > MOST_CELL
  mayBeLarge.set(database, isLarge)
  if (!isLarge) return
  const found = sizesIn(database, table, typeof key === 'string' ? 'url' : 'rowid').get(key)
  const [rowid = 0n, ...all] = found ?? []
  const at = all.findIndex((bytes) => bytes !== null && bytes > MOST_CELL)
  if (at === -1) return
  const column = `${table}.${columnsOf(database, table)[at]}`
  throw refusal(database, { column, rowid: rowid as bigint, bytes: Number(all[at]) })
}

export const refusal = (database: Database, cell: LargeCell) =>
  new ArchiveError('database-damaged', describeLargeCell(cell), { archive: database.name })

export const describeLargeCell = ({ column, rowid, bytes }: LargeCell): string =>
  `${column} of the row ${rowid} has ${bytes} bytes, and commands read ${MOST_CELL} at most`
