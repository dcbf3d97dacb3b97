import type { Database } from './database.ts'
import {
  columnsOf,
  type LargeCell,
  MOST_CELL,
  noteNoLargeCells,
  refusal,
  sizeOf,
} from './large-row.ts'
import { quoteName } from './quote.ts'
import { recordTables } from './rows/read-record.ts'
import { COMMIT_TABLES } from './schema/commits-table.ts'
import { SYSTEM_TABLES } from './schema/system-tables.ts'

/**
 * Finds a cell of each column of ours that is larger than commands can read. Looks at no values and at no overflow pages,
 * and at nothing in a database that is smaller itself.
 */
export function* findLargeCells(database: Database): Generator<LargeCell> {
  if (sizeOf(database) <= MOST_CELL) return
  const tables = new Set([
    ...recordTables(database),
    ...SYSTEM_TABLES.map(({ name }) => name),
    ...COMMIT_TABLES,
  ])
  for (const table of tables) {
    const columns = columnsOf(database, table)
    if (columns.length > 0) yield* largeIn(database, table, columns)
  }
}

function* largeIn(
  database: Database,
  table: string,
  columns: readonly string[],
): Generator<LargeCell> {
  const from = `FROM ${quoteName(table)}`
  const isLarge = (column: string) => `octet_length(${quoteName(column)}) > ${MOST_CELL}`
  const some = `SELECT 1 ${from} WHERE ${columns.map(isLarge).join(' OR ')} LIMIT 1`
  if (database.prepare(some).get() === undefined) return
  for (const column of columns) {
    const cell = database
      .prepare<[], { rowid: bigint; bytes: bigint }>(
        `SELECT rowid, octet_length(${quoteName(column)}) AS bytes ${from} WHERE ${isLarge(column)} LIMIT 1`,
      )
      .safeIntegers()
      .get()
    if (!cell) continue
    yield { column: `${table}.${column}`, rowid: cell.rowid, bytes: Number(cell.bytes) }
  }
}

/**
 * Refuses a database with cells larger than a record may be, before a command reads all of it: they would fill the memory.
 *
 * @throws `database-damaged`
 */
export function refuseLargeCells(database: Database): void {
  for (const cell of findLargeCells(database)) {
    throw refusal(database, cell)
  }
  noteNoLargeCells(database)
}
