import type { Store } from './store.ts'

/** A part of a list. */
export interface Range {
  readonly offset: number
  readonly limit: number
}

export interface Page<Row> {
  /** Rows of the whole list. */
  readonly total: number
  readonly rows: readonly Row[]
}

/**
 * A part of a list that is one database after another.
 *
 * @param sql.count counts the rows of a database
 * @param sql.select selects them in order; its parameters are a limit and an offset
 */
export function pageOfStores<Row>(
  stores: readonly Store[],
  sql: { readonly count: string; readonly select: string },
  { offset, limit }: Range,
): Page<Row> {
  let total = 0
  const rows: Row[] = []
  for (const store of stores) {
    const skip = Math.max(0, offset - total)
    const here = store.count(sql.count)
    if (skip < here && rows.length < limit) {
      rows.push(...store.all<Row>(sql.select, limit - rows.length, skip))
    }
    total += here
  }
  return { total, rows }
}
