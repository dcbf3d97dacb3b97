/** A word of a text to be looked for. */
export interface Word {
  hash: number
  /** In bytes. */
  length: number
  /** Where it ends, from the place that a visitor is to receive. */
  end: number
}

/** The words of a text as it stands. */
export function wordsIn(text: string): Word[] {
  const bytes = Buffer.from(text)
  const words: Word[] = []
  for (let at = 0; at < bytes.length; at++) {
    const start = at
    while (FOLD[bytes[at] ?? 0] !== 0) at++
    if (at > start) words.push({ ...wordOf(bytes.subarray(start, at)), end: at })
  }
  return words
}

/** A word whose end is the place. */
export const wordOf = (bytes: Uint8Array): Word => ({
  hash: hashOf(bytes, 0, bytes.length),
  length: bytes.length,
  end: 0,
})

/** The hash of a word, whatever the case of its ASCII letters. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (FOLD[bytes[at] as number] as number), FACTOR)
  }
  return hash
}

/** A hash begins with this, and is multiplied by the factor after each byte. */
export const SEED = 0x811c9dc5 | 0
export const FACTOR = 0x5bd1e995

/** Bytes of words, ASCII letters in lower case; 0 for the others, and for those that no text in UTF-8 has. */
export const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return byte < 0xf8 ? byte : 0
  const character = String.fromCharCode(byte)
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : 0
})

export const ASCII = FOLD.map((byte) => (byte < 0x80 ? byte : 0))
