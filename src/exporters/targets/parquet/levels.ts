import { type BufferPool, GrowingBytes } from './growing-bytes.ts'

/** Levels of the values of a column. In most columns all are the same, and take no room. */
export class Levels {
  readonly #bytes: GrowingBytes
  #first = 0
  #count = 0

  constructor(pool: BufferPool) {
    this.#bytes = new GrowingBytes(pool)
  }

  get length(): number {
    return this.#count
  }

  /** Bytes in memory. */
  get memory(): number {
    return this.#bytes.length
  }

  /** The level that all have; undefined if they differ. */
  get only(): number | undefined {
    return this.#bytes.length === 0 ? this.#first : undefined
  }

  get bytes(): Uint8Array {
    return this.#bytes.bytes
  }

  add(level: number): void {
    if (this.#count === 0) this.#first = level
    if (level !== this.#first && this.#bytes.length === 0) {
      for (let i = 0; i < this.#count; i++) this.#bytes.addByte(this.#first)
    }
    if (this.#bytes.length > 0 || level !== this.#first) this.#bytes.addByte(level)
    this.#count++
  }

  clear(): void {
    this.#bytes.clear()
    this.#count = 0
  }
}
