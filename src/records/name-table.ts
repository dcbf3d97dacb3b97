/** A power of two, so that a mask cuts a hash to it; names take half of the slots at most. */
const SLOTS = 2048

/** Names are kept, and archives have such of megabytes. */
const LONGEST = 100

/** Numbers names by their bytes, quotes included, from 0 in the order of their coming: no text is made of them. */
export class NameTable {
  /** As many are told apart. Real archives have some three hundred. */
  static readonly MOST = SLOTS / 2

  /** The numbers of names, each at its hash or behind; -1 where there is none. */
  readonly #slots = new Int16Array(SLOTS).fill(-1)
  /** All names, one behind the other, and by number where they begin. */
  readonly #names = new Uint8Array(NameTable.MOST * LONGEST)
  readonly #starts = new Int32Array(NameTable.MOST + 1)
  #size = 0
  /** By number: the name that came after it last. */
  readonly #next = new Int16Array(NameTable.MOST)

  constructor(names: readonly string[]) {
    for (const name of names) this.numberOf(Buffer.from(`"${name}"`), 0, name.length + 2, 0)
  }

  /** The name that came after this one last. */
  next(after: number): number {
    return this.#next[after] as number
  }

  /** Where the name ends that came after this one last, if it stands here again; -1 if it does not. */
  endOfNext(after: number, bytes: Uint8Array, start: number): number {
    return this.#endOf(this.#next[after] as number, bytes, start)
  }

  /** The number of the name that stands here, after that one; -1 where there are too many. */
  numberOf(bytes: Uint8Array, start: number, end: number, after: number): number {
    let hash = 0
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0
    let slot = hash & (SLOTS - 1)
    let number = this.#slots[slot] as number
    while (number >= 0 && this.#endOf(number, bytes, start) !== end) {
      slot = (slot + 1) & (SLOTS - 1)
      number = this.#slots[slot] as number
    }
    if (number < 0) number = this.#add(bytes.subarray(start, end), slot)
    if (number >= 0) this.#next[after] = number
    return number
  }

  #endOf(number: number, bytes: Uint8Array, start: number): number {
    const names = this.#names
    const first = this.#starts[number] as number
    const last = this.#starts[number + 1] as number
    const shift = start - first
    if (last + shift > bytes.length) return -1
    for (let at = first; at < last; at++) if (names[at] !== bytes[at + shift]) return -1
    return last + shift
  }

  #add(name: Uint8Array, slot: number): number {
    const number = this.#size
    if (number === NameTable.MOST || name.length > LONGEST) return -1
    const start = this.#starts[number] as number
    this.#names.set(name, start)
    this.#starts[number + 1] = start + name.length
    this.#slots[slot] = number
    this.#size++
    return number
  }
}
