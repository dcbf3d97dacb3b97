import type { NeedleFinder } from './find-needles.ts'
import { createNumberList } from './number-list.ts'
import { ASCII, FACTOR, FOLD, hashOf, SEED, type Word, wordOf } from './words.ts'

export interface WordOptions {
  /** The words of a run with bytes beyond ASCII, normalized and in lower case, in addition to the run as it is. */
  unfold?: ((run: string) => readonly string[]) | undefined
  /** Words are of ASCII only: all other bytes stand between them. */
  ascii?: boolean
  /** Two words are neighbors as well if there is a single letter between them: an initial. */
  initials?: boolean
}

/**
 * Creates a search for many texts at once by two words of each that are neighbors, or by the only one. A word is a run
 * of ASCII letters and digits and of bytes beyond ASCII. The bytes between two words are ignored, so the visitor has to
 * compare them. Behind a backslash a word may also begin after a letter, or after `u` and four digits, as behind an
 * escape of JSON.
 *
 * Two words seldom follow each other by chance. So the time hardly grows with the number of texts, even if all their words
 * are common.
 *
 * @param texts the words of each text, and a tag for the visitor; texts without words are left out
 */
export function createWordFinder<Tag>(
  texts: Iterable<readonly [words: readonly Word[], tag: Tag]>,
  { unfold, ascii = false, initials = false }: WordOptions = {},
): NeedleFinder<Tag> {
  const byPair = createPairs<Tag>()
  let shortestSingle = Number.POSITIVE_INFINITY
  for (const [words, tag] of texts) {
    const [only] = words
    if (only === undefined) continue
    const { key, end } = rarestPair(words, byPair.count)
    if (words.length === 1) shortestSingle = Math.min(shortestSingle, only.length)
    byPair.add(key, end, tag)
  }
  const { size } = byPair
  if (size === 0) return () => {}
  const table = createTable(byPair.keys(), size)
  const fold = ascii ? ASCII : FOLD
  const filter = createFilter(byPair.keys(), size)
  const stopsAtWide = unfold !== undefined
  const known: Known = { filter, table, fold, shortestSingle, stopsAtWide, initials }
  const isKnown = (key: number) => isIn(table[placeOf(key, table)] as number, key)
  return (bytes, visit) => {
    const isEnd = (first: number, second: number, end: number): boolean => {
      const key = keyOf(first, second)
      return isKnown(key) && byPair.some(key, (back, tag) => visit(end - back, tag))
    }
    const scan: Scan = { start: 0, end: 0, hash: NONE, before: NONE, skipped: NONE, isWide: false }
    // The ways to read the word before, if there are several.
    let before: number[] = []
    const isEndAfter = (first: readonly number[], hash: number, end: number): boolean => {
      if (isEnd(NONE, hash, end)) return true
      for (const each of first) if (each !== NONE && isEnd(each, hash, end)) return true
      return false
    }
    while (seek(bytes, scan, known, before.length > 1)) {
      const { start, end } = scan
      if (before.length < 2) before = [scan.before]
      if (scan.skipped !== NONE) before.push(scan.skipped)
      const now: number[] = []
      const isEscaped = start > 0 && bytes[start - 1] === BACKSLASH
      for (const length of isEscaped ? lengthsOfEscapes(bytes, start, end) : WHOLE) {
        const from = start + length
        if (from === end) {
          // An escape alone is not a word.
          now.push(...before)
          continue
        }
        const hash = length === 0 ? scan.hash : hashOf(bytes, from, end)
        if (isEndAfter(before, hash, end)) return
        now.push(hash)
        if (initials && end - from === 1) now.push(...before)
        if (!unfold || !scan.isWide) continue
        let first = before
        for (const word of unfold(utf8(bytes, from, end))) {
          const { hash } = wordOf(Buffer.from(word))
          if (isEndAfter(first, hash, end)) return
          first = initials && [...word].length === 1 ? [hash, ...first] : [hash]
        }
        now.push(...first)
      }
      // More than a few follow from many escapes in a row, and so much space is not between two words.
      before = now.length > MOST_READINGS ? [...new Set(now)].slice(-MOST_READINGS) : now
      scan.before = before[0] ?? NONE
    }
  }
}

/** Texts by the key of a pair of words. */
interface Pairs<Tag> {
  /** The number of keys. */
  readonly size: number
  add(key: number, end: number, tag: Tag): void
  /** The number of texts with a key. */
  count(key: number): number
  keys(): Iterable<number>
  /** Whether a text with the key passes the test, which gets the end of its pair. */
  some(key: number, test: (end: number, tag: Tag) => boolean): boolean
}

/** Texts in arrays of numbers: an object for each of them, and a map, would take several times the memory. */
function createPairs<Tag>(): Pairs<Tag> {
  /** The last text of each key by the hash of the key, numbered from 1. */
  let slots = new Int32Array(2 ** 8)
  let size = 0
  const tags: Tag[] = []
  const keys = createNumberList()
  const ends = createNumberList()
  /** The text before with the same key, numbered from 1; and how many there are up to a text. */
  const before = createNumberList()
  const ranks = createNumberList()
  const slotOf = (key: number): number => {
    const last = slots.length - 1
    let at = (Math.imul(key, FACTOR) >>> 7) & last
    while (slots[at] !== 0 && keys.at((slots[at] as number) - 1) !== key) at = (at + 1) & last
    return at
  }
  const lastOf = (key: number): number => slots[slotOf(key)] as number
  const grow = () => {
    const old = slots
    slots = new Int32Array(old.length * 2)
    for (const text of old) if (text > 0) slots[slotOf(keys.at(text - 1))] = text
  }
  return {
    get size() {
      return size
    },
    *keys() {
      for (const text of slots) if (text > 0) yield keys.at(text - 1)
    },
    add(key, end, tag) {
      if (size * 2 > slots.length) grow()
      const slot = slotOf(key)
      const last = slots[slot] as number
      if (last === 0) size++
      keys.push(key)
      ends.push(end)
      before.push(last)
      ranks.push(last === 0 ? 1 : ranks.at(last - 1) + 1)
      slots[slot] = tags.push(tag)
    },
    count(key) {
      const last = lastOf(key)
      return last === 0 ? 0 : ranks.at(last - 1)
    },
    some(key, test) {
      for (let at = lastOf(key); at > 0; at = before.at(at - 1)) {
        if (test(ends.at(at - 1), tags[at - 1] as Tag)) return true
      }
      return false
    },
  }
}

/** Where a search is: at a word, by its place and hash, and the hash of the word before. */
interface Scan {
  start: number
  end: number
  hash: number
  before: number
  /** The hash of the word before a single letter. */
  skipped: number
  isWide: boolean
}

/** The texts that are searched for, and the characters of a word. */
interface Known {
  filter: Int32Array
  table: Int32Array
  fold: Uint8Array
  /** Bytes of the shortest text of one word. */
  shortestSingle: number
  stopsAtWide: boolean
  initials: boolean
}

/**
 * Goes to the next word that is to be looked at: one that may complete a text, one behind a backslash or with bytes beyond
 * ASCII, or simply the next. Nearly all time is spent here.
 */
function seek(
  bytes: Uint8Array,
  scan: Scan,
  { filter, table, fold, shortestSingle, stopsAtWide, initials }: Known,
  stopsAtNext: boolean,
): boolean {
  const { length } = bytes
  const shift = shiftOf(table)
  const filterShift = shiftOf(filter) - BITS
  let { before } = scan
  let skipped = NONE
  for (let at = scan.end; at < length; ) {
    let byte = fold[bytes[at] as number] as number
    if (byte === 0) {
      at++
      continue
    }
    const start = at
    let hash = SEED
    let all = 0
    do {
      hash = Math.imul(hash ^ byte, FACTOR)
      all |= byte
      byte = ++at < length ? (fold[bytes[at] as number] as number) : 0
    } while (byte !== 0)
    const key = keyOf(before, hash)
    const bit = key >>> filterShift
    const mayBe = (filter[bit >>> BITS] as number) & (1 << bit)
    const behindLetter = skipped === NONE ? 0 : keyOf(skipped, hash)
    const single = at - start < shortestSingle ? 0 : keyOf(NONE, hash)
    if (
      (mayBe !== 0 && isIn(table[key >>> shift] as number, key)) ||
      (behindLetter !== 0 && isIn(table[behindLetter >>> shift] as number, behindLetter)) ||
      (single !== 0 && isIn(table[single >>> shift] as number, single)) ||
      (all >= 0x80 && stopsAtWide) ||
      (start > 0 && bytes[start - 1] === BACKSLASH) ||
      stopsAtNext
    ) {
      scan.start = start
      scan.end = at
      scan.hash = hash
      scan.before = before
      scan.skipped = skipped
      scan.isWide = all >= 0x80
      return true
    }
    skipped = initials && at - start === 1 ? before : NONE
    before = hash
  }
  return false
}

/** A hash table of 32-bit keys. Most of its slots are empty, so that almost every miss takes one probe. */
function createTable(keys: Iterable<number>, size: number): Int32Array {
  // For very many keys 8 MiB are enough: the filter answers for most words.
  const bits = Math.max(12, Math.min(21, Math.ceil(Math.log2(size)) + 4))
  const table = new Int32Array(2 ** bits)
  for (const key of keys) {
    const at = placeOf(key, table)
    table[at] = table[at] === 0 ? key : SEVERAL
  }
  return table
}

/**
 * One bit for each key, in a thirtieth of the memory of the table, so that it stays near the processor: the table itself is seldom
 * looked at.
 */
function createFilter(keys: Iterable<number>, size: number): Int32Array {
  const bits = Math.max(12, Math.min(24, Math.ceil(Math.log2(size)) + 5))
  const filter = new Int32Array(2 ** (bits - BITS))
  for (const key of keys) {
    const bit = key >>> (shiftOf(filter) - BITS)
    filter[bit >>> BITS] = (filter[bit >>> BITS] as number) | (1 << bit)
  }
  return filter
}

/** An element of the filter has 2⁵ bits. */
const BITS = 5

/** How far a key is shifted to become a slot of a table. */
const shiftOf = (table: Int32Array): number => Math.clz32(table.length) + 1
const placeOf = (key: number, table: Int32Array): number => key >>> shiftOf(table)

/** In place of keys that have the same place. */
const SEVERAL = 2
const isIn = (found: number, key: number): boolean => found === key || found === SEVERAL

/** No word is before. */
const NONE = 0
const BACKSLASH = 0x5c
const MOST_READINGS = 8

/** A number for two words, in 32 bits; never 0. */
const keyOf = (first: number, second: number): number =>
  Math.imul(Math.imul(first, 0x9e3779b1) ^ second ^ (second >>> 15), 0x85ebca6b) | 1

/** Pairs of a text that are considered, at most. */
const MOST_PAIRS = 40

/** The pair of neighbors that the fewest texts have; of those the longest. */
function rarestPair(
  words: readonly Word[],
  countOf: (key: number) => number,
): { key: number; end: number } {
  const only = words[0] as Word
  let best = { key: keyOf(NONE, only.hash), end: only.end }
  let weight = Number.POSITIVE_INFINITY
  for (let i = 1; i < Math.min(words.length, MOST_PAIRS); i++) {
    const [first, second] = [words[i - 1] as Word, words[i] as Word]
    const key = keyOf(first.hash, second.hash)
    const now = countOf(key) + 1 / (first.length + second.length)
    if (now < weight) {
      best = { key, end: second.end }
      weight = now
    }
  }
  return best
}

/** How much of a run behind a backslash may be an escape, and the word begins behind it. */
function lengthsOfEscapes(bytes: Uint8Array, start: number, end: number): readonly number[] {
  const byte = bytes[start] as number
  if (byte !== 0x75) return LETTERS_OF_ESCAPES.includes(byte) ? BEHIND_LETTER : WHOLE
  return end - start < 5 ? BEHIND_LETTER : BEHIND_DIGITS
}

const WHOLE = [0]
const BEHIND_LETTER = [0, 1]
const BEHIND_DIGITS = [0, 1, 5]

/** b, f, n, r and t. */
const LETTERS_OF_ESCAPES = [0x62, 0x66, 0x6e, 0x72, 0x74]

const utf8 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
