const SMALLEST = 1024
/** Bytes of the free buffers, at most. */
const MOST_FREE = 8 * 2 ** 20

/**
 * Buffers that are used again: the memory of a Buffer is given back late, because the collector sees only the small object
 * that owns it.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>()
  #bytes = 0

  /** A buffer of at least `size` bytes, with any content. */
  take(size: number): Buffer {
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(size, SMALLEST)))
    const buffer = this.#free.get(rounded)?.pop()
    if (buffer) this.#bytes -= rounded
    return buffer ?? Buffer.allocUnsafeSlow(rounded)
  }

  give(buffer: Buffer): void {
    if (buffer.length === 0 || this.#bytes + buffer.length > MOST_FREE) return
    this.#bytes += buffer.length
    const free = this.#free.get(buffer.length)
    if (free) free.push(buffer)
    else this.#free.set(buffer.length, [buffer])
  }
}

const NONE = Buffer.alloc(0)

/** Bytes that are added to, in the plain encoding of Parquet. */
export class GrowingBytes {
  readonly #pool: BufferPool
  #buffer: Buffer = NONE
  #length = 0

  constructor(pool: BufferPool) {
    this.#pool = pool
  }

  get length(): number {
    return this.#length
  }

  /** The bytes so far, until the next call. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  addByte(value: number): void {
    this.#ensure(1)
    this.#buffer[this.#length++] = value
  }

  /** Adds an integer of 64 bits. */
  addInteger(value: number | bigint): void {
    this.#ensure(8)
    if (typeof value === 'bigint') this.#buffer.writeBigInt64LE(value, this.#length)
    else {
      this.#buffer.writeInt32LE(value | 0, this.#length)
      this.#buffer.writeInt32LE(Math.floor(value / 2 ** 32), this.#length + 4)
    }
    this.#length += 8
  }

  /** Adds the UTF-8 of a text after its length. */
  addText(text: string): void {
    // No character of a JavaScript string takes more than three bytes.
    const most = text.length < 256 ? text.length * 3 : Buffer.byteLength(text)
    this.#ensure(4 + most)
    const bytes = this.#buffer.write(text, this.#length + 4)
    this.#buffer.writeUInt32LE(bytes, this.#length)
    this.#length += 4 + bytes
  }

  add(bytes: Uint8Array): void {
    this.#ensure(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  clear(): void {
    this.#length = 0
    this.#pool.give(this.#buffer)
    this.#buffer = NONE
  }

  #ensure(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#buffer.length) return
    const larger = this.#pool.take(needed)
    larger.set(this.bytes)
    this.#pool.give(this.#buffer)
    this.#buffer = larger
  }
}
