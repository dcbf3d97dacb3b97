/** A set of texts in the order in which they were added. */
export interface TextSet extends Iterable<string> {
  readonly size: number
  /** The index of the text, which is its place in the order. */
  add(text: string): number
  /** The index of a text; -1 if it is not in the set. */
  find(text: string): number
  /** The text with an index. */
  at(index: number): string
}

/**
 * Creates a set that keeps all texts in one buffer: as strings in a `Set`, hundreds of thousands would take several times the
 * memory.
 */
export function createTextSet(): TextSet {
  let pool = Buffer.alloc(2 ** 10)
  /** Where each text begins; where the next one will, at last. The lowest bit says that it is in UTF-16. */
  let starts = new Uint32Array(2 ** 6)
  /** Indexes by hash, numbered from 1. */
  let slots = new Int32Array(2 ** 7)
  let size = 0
  const startOf = (index: number): number => (starts[index] as number) >>> 1
  const isWide = (index: number): boolean => ((starts[index] as number) & 1) === 1
  /** Writes a text behind all others, and returns where it ends. */
  const write = (text: string): { end: number; wide: boolean } => {
    const start = startOf(size)
    const wide = !ASCII.test(text)
    const end = start + text.length * (wide ? 2 : 1)
    if (end > pool.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * pool.length))
      pool.copy(larger, 0, 0, start)
      pool = larger
    }
    pool.write(text, start, wide ? 'utf16le' : 'latin1')
    return { end, wide }
  }
  /** The slot of the bytes that were written behind all others: it is empty, or has the index of the same text. */
  const slotOf = (start: number, end: number, wide: boolean): number => {
    const last = slots.length - 1
    let at = hashOf(pool, start, end) & last
    for (let found = slots[at] as number; found !== 0; found = slots[at] as number) {
      const index = found - 1
      const isSame = isWide(index) === wide
      if (isSame && pool.compare(pool, startOf(index), startOf(index + 1), start, end) === 0) break
      at = (at + 1) & last
    }
    return at
  }
  const grow = () => {
    const larger = new Uint32Array(2 * starts.length)
    larger.set(starts)
    starts = larger
    slots = new Int32Array(2 * slots.length)
    const last = slots.length - 1
    for (let index = 0; index < size; index++) {
      let at = hashOf(pool, startOf(index), startOf(index + 1)) & last
      while (slots[at] !== 0) at = (at + 1) & last
      slots[at] = index + 1
    }
  }
  const textAt = (index: number): string =>
    pool.toString(isWide(index) ? 'utf16le' : 'latin1', startOf(index), startOf(index + 1))
  return {
    get size() {
      return size
    },
    add(text) {
      if (size + 2 > starts.length) grow()
      const start = startOf(size)
      const { end, wide } = write(text)
      const slot = slotOf(start, end, wide)
      const known = slots[slot] as number
      if (known !== 0) return known - 1
      starts[size] = 2 * start + (wide ? 1 : 0)
      starts[size + 1] = 2 * end
      slots[slot] = ++size
      return size - 1
    },
    find(text) {
      const { end, wide } = write(text)
      return (slots[slotOf(startOf(size), end, wide)] as number) - 1
    },
    at: textAt,
    *[Symbol.iterator]() {
      for (let index = 0; index < size; index++) yield textAt(index)
    },
  }
}

const ASCII = /^[\0-\x7f]*$/

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x5bd1e995)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
