/**
 * Receives the first byte of a needle that was found, and its tag. `true` ends the search.
 */
export type VisitNeedle<Tag> = (at: number, tag: Tag) => boolean

/** Looks for many texts at once, in one pass over bytes. */
export type NeedleFinder<Tag> = (bytes: Uint8Array, visit: VisitNeedle<Tag>) => void

interface Needle<Tag> {
  bytes: Uint8Array
  /** Bytes before the four by which it is found. */
  before: number
  tag: Tag
}

/** Bytes by which a needle is found. */
const GRAM = 4
/** Shorter texts are left out. */
const SHORTEST_NEEDLE = GRAM - 1

/**
 * Creates a search for texts of three bytes or more, each with what the visitor is to know of it. The case of ASCII letters
 * does not count. Four bytes of each text are in a table of hashes, which answers for almost all places by itself, so the
 * time does not grow with the number of texts as long as they are thousands.
 */
export function createNeedleFinder<Tag>(
  needles: Iterable<readonly [text: string, tag: Tag]>,
): NeedleFinder<Tag> {
  const byGram = new Map<number, Needle<Tag>[]>()
  const add = (gram: number, needle: Needle<Tag>) => {
    const known = byGram.get(gram)
    if (known) known.push(needle)
    else byGram.set(gram, [needle])
  }
  for (const [text, tag] of needles) {
    const bytes = folded(Buffer.from(text))
    if (bytes.length === SHORTEST_NEEDLE) {
      // Any byte may follow.
      for (const last of EACH_FOLDED) add(gramAt([...bytes, last], 0), { bytes, before: 0, tag })
    } else if (bytes.length >= GRAM) {
      const before = rarestGram(bytes, byGram)
      add(gramAt(bytes, before), { bytes, before, tag })
    }
  }
  if (byGram.size === 0) return () => {}
  const shift = 32 - Math.max(16, Math.min(22, Math.ceil(Math.log2(byGram.size)) + 4))
  const mayBe = new Uint8Array(2 ** (32 - shift))
  for (const gram of byGram.keys()) mayBe[Math.imul(gram, FACTOR) >>> shift] = 1
  return (bytes, visit) => {
    for (let at = seek(bytes, 0, mayBe, shift); at >= 0; at = seek(bytes, at + 1, mayBe, shift)) {
      for (const { bytes: needle, before, tag } of byGram.get(foldedGramAt(bytes, at)) ?? []) {
        const start = at - before
        if (isAt(needle, bytes, start) && visit(start, tag)) return
      }
    }
    // A needle of three bytes at the very end has nothing behind it.
    const last = bytes.length - SHORTEST_NEEDLE
    if (last < 0) return
    const gram = gramAt([...folded(bytes.subarray(last)), 0], 0)
    for (const { bytes: needle, tag } of byGram.get(gram) ?? []) {
      if (needle.length < GRAM && isAt(needle, bytes, last) && visit(last, tag)) return
    }
  }
}

/** The next place whose four bytes may be those of a needle; -1 after the last one. It sees every byte. */
function seek(bytes: Uint8Array, from: number, mayBe: Uint8Array, shift: number): number {
  if (bytes.length - from < GRAM) return -1
  const fold = FOLD
  let gram = foldedGramAt(bytes, from)
  for (let i = from + GRAM; ; i++) {
    if (mayBe[Math.imul(gram, FACTOR) >>> shift] === 1) return i - GRAM
    if (i === bytes.length) return -1
    gram = (gram << 8) | (fold[bytes[i] as number] as number)
  }
}

/** Letters of ASCII in lower case. */
const FOLD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)
const EACH_FOLDED = [...new Set(FOLD)]

/** Bytes with the letters of ASCII in lower case: the length stays. */
const folded = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => FOLD[byte] as number)

const FACTOR = 0x9e3779b1

const gramAt = (bytes: ArrayLike<number>, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number)

const foldedGramAt = (bytes: Uint8Array, at: number): number => {
  let gram = 0
  for (let i = at; i < at + GRAM; i++) gram = (gram << 8) | (FOLD[bytes[i] as number] as number)
  return gram
}

/** Places of a needle that are considered, at most. */
const MOST_PLACES = 40

/** Letters, digits, or others. */
const classOf = (byte: number): number =>
  byte >= 0x30 && byte <= 0x39 ? 1 : byte >= 0x61 && byte <= 0x7a ? 2 : 3

/** Where the four bytes are that the fewest needles have, rather not within a word or number: texts are full of those. */
function rarestGram(bytes: Uint8Array, byGram: ReadonlyMap<number, readonly unknown[]>): number {
  let best = 0
  let fewest = Number.POSITIVE_INFINITY
  for (let at = 0; at <= Math.min(bytes.length - GRAM, MOST_PLACES); at++) {
    const isMixed =
      new Set(
        bytes
          .subarray(at, at + GRAM)
          .values()
          .map(classOf),
      ).size > 1
    const weight = (byGram.get(gramAt(bytes, at))?.length ?? 0) + (isMixed ? 0 : 4)
    if (weight < fewest) {
      best = at
      fewest = weight
    }
  }
  return best
}

/** Whether a folded needle is at a place, in any case. */
function isAt(needle: Uint8Array, bytes: Uint8Array, start: number): boolean {
  if (start < 0 || start + needle.length > bytes.length) return false
  for (let i = 0; i < needle.length; i++) {
    if (FOLD[bytes[start + i] as number] !== needle[i]) return false
  }
  return true
}

/** Whether a text of ASCII in lower case is at a place, in any case. */
export function isTextAt(text: string, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < text.length; i++) {
    if (FOLD[bytes[start + i] as number] !== text.charCodeAt(i)) return false
  }
  return true
}
