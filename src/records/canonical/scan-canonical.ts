import { isUtf8 } from 'node:buffer'

/** The bytes that GitHub prints before, between and after the records of a file. */
export const OPENING = Buffer.from('[\n  ')
const BETWEEN = Buffer.from(',\n  ')
export const CLOSING = Buffer.from('\n]')

/** Bytes matched at a time: V8 allocates longer strings separately, which is slow. */
const PART = 96 * 2 ** 10

/**
 * Matches each record of an array against a `canonicalPattern`, and calls `visit` with the match and the record's
 * first byte and end. Returns false as soon as one does not match.
 */
export function scanCanonical(
  pattern: RegExp,
  array: Buffer,
  visit: (match: RegExpExecArray, from: number, to: number) => void,
): boolean {
  if (!array.subarray(0, OPENING.length).equals(OPENING) || !isUtf8(array)) return false
  let start = OPENING.length
  for (let room = PART; ; room *= 2) {
    const text = array.toString('latin1', start, start + room)
    let end = 0
    for (;;) {
      pattern.lastIndex = end
      const match = pattern.exec(text)
      if (match === null) break
      const isLast = text[pattern.lastIndex - 1] === ']'
      visit(match, start + end, start + pattern.lastIndex - (isLast ? CLOSING : BETWEEN).length)
      end = pattern.lastIndex
      if (isLast) return start + end === array.length
    }
    // A record may be longer than a part: double it.
    if (end === 0 && start + room >= array.length) return false
    if (end > 0) room = PART / 2
    start += end
  }
}
