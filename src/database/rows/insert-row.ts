import type { Database, Statement } from '../database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import type { SqlValue } from '../schema/row-layout.ts'

/** Beyond this, and in tables too wide to number sets of columns, one statement inserts all rows. */
const MOST_STATEMENTS = 64
const MOST_COLUMNS = 50

/**
 * Inserts rows into a table, each with a statement for only the columns that are not NULL. Binding a value, even NULL, is slow,
 * and most columns of most rows are NULL.
 */
export function createRowInserter(
  database: Database,
  table: string,
  columns: readonly string[],
): (row: readonly SqlValue[]) => void {
  const prepare = (names: readonly string[]) =>
    prepareOnce(
      database,
      `INSERT INTO ${quoteName(table)} (${names.map(quoteName).join(', ')})
       VALUES (${names.map(() => '?').join(', ')})`,
    )
  let general: Statement | undefined
  const bySet = new Map<number, Statement>()
  return (row) => {
    let set = 0
    const values: SqlValue[] = []
    for (const value of row) {
      set = set * 2 + (value === null ? 0 : 1)
      if (value !== null) values.push(value)
    }
    let statement = bySet.get(set)
    if (statement === undefined && bySet.size < MOST_STATEMENTS && columns.length <= MOST_COLUMNS) {
      statement = prepare(columns.filter((_, i) => row[i] !== null))
      bySet.set(set, statement)
    }
    if (statement !== undefined) {
      statement.run(...values)
      return
    }
    general ??= prepare(columns)
    general.run(...row)
  }
}
