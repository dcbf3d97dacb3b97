import type { ExportTable } from '../table.ts'
import { digestOf, type TableSums } from './checksums.ts'

/** Reads the rows of a partition in the tables of a target. */
export interface TableReader {
  /** The checksums of the columns of a table. */
  sums(table: ExportTable): Promise<TableSums>
  /** Rows in some buckets, at most `MOST_ROWS`, with some of the columns. */
  rows(
    table: ExportTable,
    buckets: ReadonlySet<number>,
    columns: readonly number[],
  ): Promise<FoundRow[]>
}

/** Rows that are looked at, at most, to name some that differ. */
export const MOST_ROWS = 20_000

/** Characters of a value that a difference shows. */
export const SHOWN = 60

/** A row that may differ: its key, and the values of some of its columns. */
export interface FoundRow {
  readonly key: string
  readonly values: readonly (FoundValue | null)[]
}

export interface FoundValue {
  readonly digest: string
  /** Its first characters. */
  readonly start: string
}

/** A value with its digest and its first characters. */
export function foundValue(key: string, text: string | null): FoundValue | null {
  const digest = digestOf(key, text)
  if (digest === null || text === null) return null
  return { digest, start: [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('') }
}

/** Rows of a file: their keys, and the texts of a column at a time. */
export interface FileRows {
  readonly keys: readonly string[]
  column(index: number): readonly (string | null)[] | Promise<readonly (string | null)[]>
}
