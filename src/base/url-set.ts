/** A set of URLs that holds 64 bits of each, so that millions fit into memory. */
export interface UrlSet {
  readonly size: number
  /** False if it was already in the set. URLs of different spaces differ. */
  add(text: string, space?: number): boolean
  /** The same for the text whose UTF-8 is in `bytes` from `start` to `end`. */
  addBytes(bytes: Buffer, start: number, end: number, space?: number): boolean
  has(text: string): boolean
  /** Empties the set, and returns the 64 bits of each URL, sorted. */
  takeHashes(): BigUint64Array
}

/**
 * The chance that any two of ten million URLs collide is below one in a hundred thousand. Takes 10 to 20 bytes per URL.
 */
export function createUrlSet(): UrlSet {
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

  const addHash = ([low, high]: Hash): boolean => {
    const at = find(low, high)
    if (table[at] !== 0 || table[at + 1] !== 0) return false
    table[at] = low
    table[at + 1] = high
    // At most four fifths of the slots are in use.
    if (++size * 5 > table.length * 2) grow()
    return true
  }

  const grow = () => {
    const old = table
    table = new Uint32Array(2 * old.length)
    for (let i = 0; i < old.length; i += 2) {
      const low = old[i] as number
      const high = old[i + 1] as number
      if (low === 0 && high === 0) continue
      const at = find(low, high)
      table[at] = low
      table[at + 1] = high
    }
  }

  return {
    get size() {
      return size
    },
    add: (text, space = 0) => addHash(hash(text, space)),
    addBytes(bytes, start, end, space = 0) {
      const ascii = hashAscii(bytes, start, end, space)
      return addHash(ascii ?? hash(bytes.toString('utf8', start, end), space))
    },
    has(text) {
      const [low, high] = hash(text, 0)
      const at = find(low, high)
      return table[at] !== 0 || table[at + 1] !== 0
    },
    takeHashes() {
      const hashes = new Uint32Array(2 * size)
      let n = 0
      for (let i = 0; i < table.length; i += 2) {
        if (table[i] === 0 && table[i + 1] === 0) continue
        hashes[n++] = table[i] as number
        hashes[n++] = table[i + 1] as number
      }
      table.fill(0)
      size = 0
      return new BigUint64Array(hashes.buffer).sort()
    },
  }
}

type Hash = [low: number, high: number]

const FIRST: Hash = [0xdeadbeef, 0x41c6ce57]

/** Two hashes of 32 bits. */
function hash(text: string, space: number): Hash {
  let a = FIRST[0] ^ space
  let b = FIRST[1]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return mix(a, b)
}

/** The same hash of a text in ASCII; undefined for another one. */
function hashAscii(bytes: Buffer, start: number, end: number, space: number): Hash | undefined {
  let a = FIRST[0] ^ space
  let b = FIRST[1]
  for (let i = start; i < end; i++) {
    const code = bytes[i] as number
    if (code > 0x7f) return undefined
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return mix(a, b)
}

/** Mixes two hashes with each other. Never both are 0. */
function mix(left: number, right: number): Hash {
  let a = left
  let b = right
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a >>> 0 || 1, b >>> 0]
}
