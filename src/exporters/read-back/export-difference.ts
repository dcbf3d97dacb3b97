/** A difference from what was expected. */
export interface ExportDifference {
  /** The table; undefined for the partition itself. */
  table?: string
  /** The record that differs: its URL, or its place. Undefined for a fact about the whole table. */
  record?: string
  /** Such as rows, sha256, or `title checksum`; for a record, the column. */
  fact: string
  /** The value in the source or the manifest; null if there is none. */
  expected: number | string | null
  /** The value in the target; null if there is none. */
  found: number | string | null
}
