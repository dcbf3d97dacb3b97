import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'

/** Rows that follow each other and hold the records of one file in their order. */
export interface RowRange {
  /** The rowids of the first and the last. */
  from: number
  to: number
}

/** That of a file without records. */
export const EMPTY_RANGE: RowRange = { from: 1, to: 0 }

/**
 * Where the records of each file of a kind lie, by its position, if the table holds these and no others, as loading
 * leaves it. To see that takes a third of the time of noting the place of every record.
 */
export function findRowRanges(
  database: Database,
  table: string,
  recordFiles: readonly { position: number; archive: number; path: string; records: number }[],
): Map<number, RowRange> | undefined {
  const byPath = new Map(recordFiles.map((file) => [file.path, file]))
  // Which of two files with one name a record stood in, its row does not tell.
  if (byPath.size < recordFiles.length) return undefined
  const from = `FROM ${quoteName(table)} WHERE`
  const entryAt = database.prepare<[number], unknown>(`SELECT _entry ${from} rowid = ?`).pluck()
  const count = database
    .prepare<[number, number, number, string, number], number>(
      `SELECT count(*) ${from} rowid BETWEEN ? AND ? AND _archive = ? AND _entry = ?
       AND _record_number = rowid - ?`,
    )
    .pluck()
  const ranges = new Map<number, RowRange>()
  let last = 0
  // Files come in any order.
  for (let entry = entryAt.get(1); entry !== undefined; entry = entryAt.get(last + 1)) {
    const file = byPath.get(String(entry))
    if (!file || ranges.has(file.position)) return undefined
    const { position, archive, path, records } = file
    const range = { from: last + 1, to: last + records }
    if (count.get(range.from, range.to, archive, path, last) !== records) return undefined
    ranges.set(position, range)
    last = range.to
  }
  const isWhole = recordFiles.every(
    ({ position, records }) => records === 0 || ranges.has(position),
  )
  const other = database.prepare(`SELECT 1 ${from} rowid NOT BETWEEN 1 AND ?`).get(last)
  return isWhole && other === undefined ? ranges : undefined
}
