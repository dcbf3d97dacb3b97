/** A row that has hints, and its columns that have them, from 0 without the rowid; undefined if any may have one. */
export interface FoundRow {
  rowid: bigint
  columns: readonly number[] | undefined
}

/** Rows of a table with hints, in order and in parts: the rowid of each, of 32 bits, and behind it a bit for each of its columns. */
export type FoundRows = readonly Int32Array[]

/** Columns that have a bit of their own. */
const BITS = 31
/** Any column may have a hint. */
const ALL = -1

/** Rows as numbers: eight bytes each. */
export const packRows = (rows: readonly FoundRow[]): number[] =>
  rows.flatMap(({ rowid, columns }) => [Number(rowid), bitsOf(columns)])

const bitsOf = (columns: readonly number[] | undefined): number =>
  columns?.every((column) => column < BITS)
    ? columns.reduce((bits, column) => bits | (1 << column), 0)
    : ALL

/** The rows that were packed. */
export function* unpackRows(parts: FoundRows): Generator<FoundRow> {
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) {
      yield { rowid: BigInt(part[i] as number), columns: columnsOf(part[i + 1] as number) }
    }
  }
}

const EACH = Array.from({ length: BITS }, (_, column) => column)

const columnsOf = (bits: number): number[] | undefined =>
  bits === ALL ? undefined : EACH.filter((column) => (bits & (1 << column)) !== 0)
