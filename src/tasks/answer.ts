import type { Database } from '../database/open-database.ts'
import { type Parameters, runQuery, type SqlValue } from '../query/run-query.ts'

/** The answer to a statement, cut to what a page or an assistant can show. */
export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  /** There are more rows, or longer texts. */
  readonly isCut: boolean
  readonly milliseconds: number
}

/** Rows of an answer. */
const MOST_ROWS = 10_000
/** Approximate bytes of an answer. */
const MOST_BYTES = 8 * 2 ** 20
/** Characters of a text in an answer. */
const LONGEST_TEXT = 10_000

/** Runs a statement that only reads, and keeps as many rows as can be shown. Throws as `runQuery`. */
export function answerOf(database: Database, sql: string, parameters: Parameters): Answer {
  const start = performance.now()
  const { columns, rows } = runQuery(database, sql, parameters)
  const kept: SqlValue[][] = []
  let bytes = 0
  let isCut = false
  for (const row of rows) {
    if (kept.length === MOST_ROWS || bytes > MOST_BYTES) {
      isCut = true
      break
    }
    const values = row.map((value) => {
      if (typeof value === 'string' && value.length > LONGEST_TEXT) {
        isCut = true
        return `${value.slice(0, LONGEST_TEXT)}…`
      }
      return value instanceof Uint8Array ? `${value.length} bytes` : value
    })
    bytes += sizeOf(values)
    kept.push(values)
  }
  return { columns, rows: kept, isCut, milliseconds: performance.now() - start }
}

/** Approximate bytes of a row. */
export const sizeOf = (row: readonly SqlValue[]): number =>
  row.reduce<number>((sum, value) => sum + 16 + (typeof value === 'string' ? value.length : 0), 0)
