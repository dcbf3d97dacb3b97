/** A set of URLs that holds 64 bits of each, so that millions fit into memory. */
export interface UrlSet {
  readonly size: number
  /** False if it was already in the set. */
  add(text: string): boolean
  has(text: string): boolean
}

/**
 * The chance that any two of ten million URLs collide is below one in a hundred thousand. Takes 10 to 20 bytes per URL.
 */
export function openUrlSet(): UrlSet {
  let size = 0
  // Pairs of halves of a hash; a free slot is 0, 0.
  let table = new Uint32Array(2 * 1024)

  /** The index of the pair, or of the free slot for it. */
  const find = (low: number, high: number): number => {
    const mask = table.length - 1
    let at = (low << 1) & mask
    while (table[at] !== 0 || table[at + 1] !== 0) {
      if (table[at] === low && table[at + 1] === high) break
      at = (at + 2) & mask
    }
    return at
  }

  const grow = () => {
    const old = table
    table = new Uint32Array(2 * old.length)
    for (let i = 0; i < old.length; i += 2) {
      const low = old[i] as number
      const high = old[i + 1] as number
      if (low !== 0 || high !== 0) table.set([low, high], find(low, high))
    }
  }

  return {
    get size() {
      return size
    },
    add(text) {
      const [low, high] = hash(text)
      const at = find(low, high)
      if (table[at] !== 0 || table[at + 1] !== 0) return false
      table[at] = low
      table[at + 1] = high
      // Four fifths of the slots are taken at most.
      if (++size * 5 > table.length * 2) grow()
      return true
    },
    has(text) {
      const [low, high] = hash(text)
      const at = find(low, high)
      return table[at] !== 0 || table[at + 1] !== 0
    },
  }
}

/** Two hashes of 32 bits, mixed with each other at the end; never both 0. */
function hash(text: string): [low: number, high: number] {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a >>> 0 || 1, b >>> 0]
}
