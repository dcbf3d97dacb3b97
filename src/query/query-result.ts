import type { SqlValue } from '../database/rows/row-layout.ts'

/** The answer to a query. `rows` is read once and lazily: there may be more rows than fit in memory. */
export interface QueryResult {
  columns: readonly string[]
  rows: Iterable<readonly SqlValue[]>
}

export type { SqlValue }
