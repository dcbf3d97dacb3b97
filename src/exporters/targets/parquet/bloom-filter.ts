import { GrowingBytes, USUAL } from './growing-bytes.ts'
import type { ParquetLibrary } from './parquet-output.ts'

/** Collects texts of a column, for a filter by which readers skip row groups that do not have a text. */
export class BloomFilter {
  readonly #library: Pick<ParquetLibrary, 'hash' | 'createBloomFilter' | 'sbbfInsert'>
  readonly #hashes: GrowingBytes

  constructor(library: ParquetLibrary) {
    this.#library = library
    this.#hashes = new GrowingBytes(library.pool, USUAL)
  }

  /** Adds texts, each after its length. */
  add(texts: GrowingBytes): void {
    for (const { block, length } of texts.parts) {
      for (let at = 0; at < length; ) {
        const end = at + 4 + block.view.getUint32(at, true)
        this.#hashes.addInteger(this.#library.hash(block.bytes.subarray(at + 4, end)))
        at = end
      }
    }
  }

  /** The filter of all texts that were added, and forgets them; undefined if there are none. */
  finish(): Uint32Array | undefined {
    const hashes = this.#hashes
    if (hashes.length === 0) return undefined
    const filter = this.#library.createBloomFilter(hashes.length / 8)
    for (const { block, length } of hashes.parts) {
      for (let at = 0; at < length; at += 8) {
        this.#library.sbbfInsert(filter, block.view.getBigUint64(at, true))
      }
    }
    hashes.clear()
    return filter
  }
}
