import { hash } from 'node:crypto'

/** Rows are divided by the first two digits of the MD5 of their key, so that a difference can be found without reading all. */
export const bucketOf = (key: string): number => hash('md5', key, 'buffer')[0] as number
const BUCKETS = 256

/** Hexadecimal digits of a digest: 60 bits, which every engine can add up. */
export const DIGEST_DIGITS = 15
const LOW_BITS = 28

/** The checksums of a table, or of one bucket. */
export interface Sums {
  rows: number
  /** For each column the sum of the digests of its values. */
  readonly columns: bigint[]
}

/** The checksums of a table by bucket. */
export type TableSums = Map<number, Sums>

/**
 * Adds up the digests of values. The digest of a value is the first 15 hexadecimal digits of the MD5 of the key of its
 * row, a line feed, and the text of the value; NULL has none. So the order of rows does not matter, but which row has
 * which value does.
 */
export class ChecksumAdder {
  readonly #width: number
  readonly #rows = new Float64Array(BUCKETS)
  // A sum of 60 bits in two halves, each exact for millions of rows.
  readonly #high: Float64Array
  readonly #low: Float64Array

  constructor(columns: number) {
    this.#width = columns
    this.#high = new Float64Array(BUCKETS * columns)
    this.#low = new Float64Array(BUCKETS * columns)
  }

  /** Counts a row. Returns its bucket. */
  addRow(key: string): number {
    const bucket = bucketOf(key)
    this.#rows[bucket] = (this.#rows[bucket] as number) + 1
    return bucket
  }

  addValue(bucket: number, key: string, column: number, text: string | null): void {
    if (text === null) return
    const digest = hash('md5', `${key}\n${text}`, 'buffer')
    const at = bucket * this.#width + column
    this.#high[at] = (this.#high[at] as number) + digest.readUInt32BE(0)
    this.#low[at] = (this.#low[at] as number) + (digest.readUInt32BE(4) >>> (32 - LOW_BITS))
  }

  finish(): TableSums {
    const sums: TableSums = new Map()
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const rows = this.#rows[bucket] as number
      if (rows === 0) continue
      const columns = Array.from({ length: this.#width }, (_, column) => {
        const at = bucket * this.#width + column
        return (
          (BigInt(this.#high[at] as number) << BigInt(LOW_BITS)) + BigInt(this.#low[at] as number)
        )
      })
      sums.set(bucket, { rows, columns })
    }
    return sums
  }
}

/** The digest of one value. */
export const digestOf = (key: string, text: string | null): string | null =>
  text === null ? null : hash('md5', `${key}\n${text}`, 'hex').slice(0, DIGEST_DIGITS)

/** The checksums of a whole table. */
export function totalOf(sums: TableSums, columns: number): Sums {
  const total: Sums = { rows: 0, columns: Array.from({ length: columns }, () => 0n) }
  for (const { rows, columns } of sums.values()) {
    total.rows += rows
    for (const [i, sum] of columns.entries()) total.columns[i] = (total.columns[i] as bigint) + sum
  }
  return total
}
