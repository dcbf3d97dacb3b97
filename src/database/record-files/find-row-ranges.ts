import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'

/** Consecutive rows with the records of one file in order. */
export interface RowRange {
  /** First and last rowid. */
  from: number
  to: number
}

/** The range of a file without records. */
export const EMPTY_RANGE: RowRange = { from: 1, to: 0 }

/**
 * Finds the rows of each record file of a kind, by the position of the file, if the table is as loading left it. This
 * takes a third of the time of noting the place of every record. `isFilled` is false of a table that is known to have no
 * rows.
 */
export function findRowRanges(
  database: Database,
  table: string,
  recordFiles: readonly { position: number; archive: number; path: string; records: number }[],
  { isFilled = true }: { isFilled?: boolean } = {},
): Map<number, RowRange> | undefined {
  const byPath = new Map(recordFiles.map((file) => [file.path, file]))
  // A row does not say which of two files with the same path it came from.
  if (byPath.size < recordFiles.length) return undefined
  if (!isFilled) return recordFiles.some(({ records }) => records > 0) ? undefined : new Map()
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
