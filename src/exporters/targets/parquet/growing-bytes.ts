import { putText, type Target } from '../../../database/bulk/put-text.ts'
import { type Cells, viewOf } from '../../../records/cells.ts'

const SMALLEST = 1024
/** Bytes of a block among several: large enough for few copies, and small enough to leave little of it empty. */
export const USUAL = 64 * 1024
/** Bytes of the free buffers, at most. */
const MOST_FREE = 12 * 2 ** 20

/** A buffer with views of its memory. */
export interface Block extends Target {
  readonly words: Uint32Array
  readonly shorts: Uint16Array
}

/** A block of no bytes. */
export const NO_BLOCK: Block = {
  bytes: Buffer.alloc(0),
  view: new DataView(new ArrayBuffer(0)),
  words: new Uint32Array(0),
  shorts: new Uint16Array(0),
}

/**
 * Buffers that are used again: the memory of a Buffer is given back late, because the collector sees only the small object
 * that owns it.
 */
export class BufferPool {
  readonly #free = new Map<number, Block[]>()
  #bytes = 0

  /** A block of at least `size` bytes, with any content. */
  take(size: number): Block {
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(size, SMALLEST)))
    const block = this.#free.get(rounded)?.pop()
    if (block === undefined) {
      const bytes = Buffer.allocUnsafeSlow(rounded)
      const words = new Uint32Array(bytes.buffer)
      return { bytes, view: viewOf(bytes), words, shorts: new Uint16Array(bytes.buffer) }
    }
    this.#bytes -= rounded
    return block
  }

  /** A block of at least `size` bytes that begins with those of another one, which is given back. */
  enlarge(block: Block, size: number): Block {
    const larger = this.take(size)
    larger.bytes.set(block.bytes)
    this.give(block)
    return larger
  }

  give(block: Block): void {
    const { length } = block.bytes
    if (length === 0 || this.#bytes + length > MOST_FREE) return
    this.#bytes += length
    const free = this.#free.get(length)
    if (free) free.push(block)
    else this.#free.set(length, [block])
  }
}

/** Bytes in a block, from its beginning. */
export interface Part {
  readonly block: Block
  readonly length: number
}

/** Bytes that are added to, in the plain encoding of Parquet. Each value is in one block. */
export class GrowingBytes {
  readonly #pool: BufferPool
  readonly #limit: number
  #full: Part[] = []
  #before = 0
  #block = NO_BLOCK
  #length = 0

  /** @param limit bytes of a block, unless a single value has more. Default: all bytes are in one block. */
  constructor(pool: BufferPool, limit = Number.POSITIVE_INFINITY) {
    this.#pool = pool
    this.#limit = limit
  }

  get length(): number {
    return this.#before + this.#length
  }

  /** All bytes so far, until the next call. */
  get parts(): readonly Part[] {
    return [...this.#full, { block: this.#block, length: this.#length }]
  }

  /** The bytes of the last block so far, until the next call. */
  get bytes(): Uint8Array {
    return this.#block.bytes.subarray(0, this.#length)
  }

  /** The last block and what lies behind it, until the next call. */
  get view(): DataView {
    return this.#block.view
  }

  addByte(value: number): void {
    this.#ensure(1)
    this.#block.bytes[this.#length++] = value
  }

  /** Adds an integer of 64 bits. */
  addInteger(value: number | bigint): void {
    this.#ensure(8)
    const { view } = this.#block
    if (typeof value === 'bigint') view.setBigInt64(this.#length, value, true)
    else {
      view.setInt32(this.#length, value | 0, true)
      view.setInt32(this.#length + 4, Math.floor(value / 2 ** 32), true)
    }
    this.#length += 8
  }

  /** Adds the UTF-8 of a text after its length. */
  addText(text: string): void {
    // No character of a JavaScript string takes more than three bytes.
    const most = text.length < 256 ? text.length * 3 : Buffer.byteLength(text)
    this.#ensure(4 + most)
    const { bytes, view } = this.#block
    const size = bytes.write(text, this.#length + 4)
    view.setUint32(this.#length, size, true)
    this.#length += 4 + size
  }

  /** Adds the text of a cell, as `addText` does. */
  addCell(cells: Cells, cell: number): void {
    this.#ensure(4 + (cells.length[cell] as number))
    this.#block.view.setUint32(this.#length, cells.length[cell] as number, true)
    this.#length = putText(this.#block, this.#length + 4, cells, cell)
  }

  add(bytes: Uint8Array): void {
    this.#ensure(bytes.length)
    this.#block.bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Takes away what was added behind the first `length` bytes, if there is one block. */
  truncate(length: number): void {
    this.#length = length
  }

  clear(): void {
    for (const { block } of this.parts) this.#pool.give(block)
    this.#full = []
    this.#before = 0
    this.#block = NO_BLOCK
    this.#length = 0
  }

  #ensure(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#block.bytes.length) return
    if (needed <= this.#limit || this.#length === 0) {
      this.#block = this.#pool.enlarge(this.#block, needed)
      return
    }
    this.#full.push({ block: this.#block, length: this.#length })
    this.#before += this.#length
    this.#block = this.#pool.take(Math.max(more, this.#limit))
    this.#length = 0
  }
}

/** One bit for each byte, the lowest first. */
export function packBits({ parts, length: flags }: GrowingBytes): Uint8Array {
  const packed = new Uint8Array(Math.ceil(flags / 8))
  let i = 0
  for (const { block, length } of parts) {
    for (let at = 0; at < length; at++, i++) {
      packed[i >> 3] = (packed[i >> 3] as number) | ((block.bytes[at] as number) << (i & 7))
    }
  }
  return packed
}
