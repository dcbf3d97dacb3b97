/** A pattern of bytes as characters of Latin-1. Each match begins with one of these characters. */
export interface SignedPattern {
  pattern: RegExp
  signs: string
}

/**
 * Escapes of JSON behind which a text may hide, as bytes: for any character but controls, quotes, backslashes, < and >. They are to
 * be searched for as well.
 */
export const ESCAPED: SignedPattern = {
  pattern: /\\(?:\/|u(?!00(?:[01][0-9a-f]|2[027]|3[ce]|5c)))/i,
  signs: '\\',
}

/** Finds where patterns match, in rising order. It receives the bytes as characters of Latin-1 as well. */
export type PatternFinder = (bytes: Buffer, latin1: string) => number[]

/** Creates a search for many patterns at once, in one pass: only where there is a sign is a pattern tried. */
export function createPatternFinder(patterns: readonly SignedPattern[]): PatternFinder {
  const isSign = new Uint8Array(256)
  const bySign: RegExp[][] = Array.from(isSign, () => [])
  for (const { pattern, signs } of patterns) {
    const here = new RegExp(pattern.source, `${pattern.flags}y`)
    for (const sign of signs) {
      isSign[sign.charCodeAt(0)] = 1
      bySign[sign.charCodeAt(0)]?.push(here)
    }
  }
  const matchesAt = (sign: number, text: string, at: number): boolean => {
    for (const pattern of bySign[sign] as RegExp[]) {
      pattern.lastIndex = at
      if (pattern.test(text)) return true
    }
    return false
  }
  return (bytes, latin1) => {
    const found: number[] = []
    for (let at = seek(bytes, 0, isSign); at < bytes.length; at = seek(bytes, at + 1, isSign)) {
      if (matchesAt(bytes[at] as number, latin1, at)) found.push(at)
    }
    return found
  }
}

/** The place of the next sign; the length if there is none. */
function seek(bytes: Uint8Array, from: number, isSign: Uint8Array): number {
  const { length } = bytes
  let at = from
  while (at < length && isSign[bytes[at] as number] === 0) at++
  return at
}
