import type { Database } from '../database/open-database.ts'
import { fromClause, type RecordSelect } from '../rules/sql/select-records.ts'

/** Results of a SELECT are columns, of which SQLite takes 2,000 by default. */
const MOST_AT_ONCE = 500

/**
 * How many records, or elements of them, each of these selects. Those of one table are looked at together:
 * to read a large table takes longer than most of what is asked of its rows.
 */
export function countRecords(
  database: Database,
  selects: readonly RecordSelect[],
): (select: RecordSelect) => number {
  const counts = new Map<RecordSelect, number>()
  for (const [from, together] of Map.groupBy(selects, fromClause)) {
    for (let at = 0; at < together.length; at += MOST_AT_ONCE) {
      const some = together.slice(at, at + MOST_AT_ONCE)
      const columns = some.map(({ where }) => `count(*) FILTER (WHERE ${where})`)
      const row = database
        .prepare<[], number[]>(`SELECT ${columns.join(', ')} ${from}`)
        .raw()
        .get()
      for (const [i, select] of some.entries()) counts.set(select, row?.[i] ?? 0)
    }
  }
  return (select) => counts.get(select) ?? 0
}
