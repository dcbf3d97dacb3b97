import { randomInt } from 'node:crypto'
import { type BufferPool, GrowingBytes, NO_BLOCK } from './growing-bytes.ts'

/** The number of values that 16 bits tell apart. */
const MOST_VALUES = 2 ** 16
const MOST_BYTES = 256 * 1024

/** Approximate bytes that the table takes for a value, in addition to its own. */
const ENTRY_SIZE = 20

/** Nobody can choose values whose hashes are the same. */
const SEED = randomInt(2 ** 32)

/** The distinct values of a column, in the order of their first appearance. A hash table finds them by their bytes. */
export class Dictionary {
  /** The values, one after the other. A value that was just appended is not in the dictionary yet. */
  readonly values: GrowingBytes
  readonly #pool: BufferPool
  /** For each value where it begins, and its hash. */
  #entries = NO_BLOCK
  /** Positions of values, from 1, where their hash says; at least twice as many as there are values. */
  #slots = NO_BLOCK
  #size = 0

  constructor(pool: BufferPool) {
    this.#pool = pool
    this.values = new GrowingBytes(pool)
  }

  get size(): number {
    return this.#size
  }

  /** Approximate bytes in memory. */
  get memory(): number {
    return this.values.length + this.#size * ENTRY_SIZE
  }

  get hasRoom(): boolean {
    return this.values.length < MOST_BYTES && this.#size < MOST_VALUES
  }

  /**
   * The position of the value that was added to `values` from `start` on. Takes it away again if the dictionary has it
   * already.
   */
  positionOf(start: number): number {
    if (this.#size * 2 >= this.#slots.words.length) this.#grow()
    const { view, length } = this.values
    const hash = hashOf(view, start, length)
    const slots = this.#slots.words
    const entries = this.#entries.words
    const mask = slots.length - 1
    let slot = hash & mask
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const position = (slots[slot] as number) - 1
      if (entries[2 * position + 1] !== hash) continue
      const first = entries[2 * position] as number
      if (this.endOf(position, start) - first !== length - start) continue
      if (!isSame(view, first, start, length)) continue
      this.values.truncate(start)
      return position
    }
    entries[2 * this.#size] = start
    entries[2 * this.#size + 1] = hash
    slots[slot] = ++this.#size
    return this.#size - 1
  }

  startOf(position: number): number {
    return this.#entries.words[2 * position] as number
  }

  /** Where a value ends, if the last one ends at `end`. */
  endOf(position: number, end = this.values.length): number {
    return position + 1 < this.#size ? this.startOf(position + 1) : end
  }

  clear(): void {
    this.values.clear()
    this.#pool.give(this.#entries)
    this.#pool.give(this.#slots)
    this.#entries = NO_BLOCK
    this.#slots = NO_BLOCK
    this.#size = 0
  }

  /** Doubles the slots. There are entries for half of them. */
  #grow(): void {
    const slots = this.#pool.take(this.#slots.bytes.length * 2)
    this.#pool.give(this.#slots)
    this.#slots = slots
    // Two words for each of half as many values.
    this.#entries = this.#pool.enlarge(this.#entries, slots.bytes.length)
    slots.words.fill(0)
    const mask = slots.words.length - 1
    for (let position = 0; position < this.#size; position++) {
      let slot = (this.#entries.words[2 * position + 1] as number) & mask
      while (slots.words[slot] !== 0) slot = (slot + 1) & mask
      slots.words[slot] = position + 1
    }
  }
}

/** A hash of at least four bytes, without a sign. */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = SEED ^ (end - start)
  const last = end - 4
  for (let at = start; at < last; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ view.getInt32(last, true), 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Whether as many bytes, four or more, are the same from `one` on as from `other` on to `end`. */
function isSame(view: DataView, left: number, right: number, end: number): boolean {
  const last = end - 4
  for (let at = right; at < last; at += 4) {
    if (view.getInt32(left + at - right, true) !== view.getInt32(at, true)) return false
  }
  return view.getInt32(left + last - right, true) === view.getInt32(last, true)
}
