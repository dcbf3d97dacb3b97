import { isUtf8 } from 'node:buffer'

/** What stands before, between and after the records of a file as the host prints it. */
export const OPENING = Buffer.from('[\n  ')
const BETWEEN = Buffer.from(',\n  ')
export const CLOSING = Buffer.from('\n]')

/** Bytes looked at at a time: V8 keeps longer texts in memory of its own, which takes long to have and to give back. */
const PART = 96 * 2 ** 10

/**
 * Shows what `pattern`, a `plainPattern`, finds of each record of an array, and where the record stands, in bytes. False
 * as soon as one does not match.
 */
export function eachPlain(
  pattern: RegExp,
  array: Buffer,
  show: (match: RegExpExecArray, from: number, to: number) => void,
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
      show(match, start + end, start + pattern.lastIndex - (isLast ? CLOSING : BETWEEN).length)
      end = pattern.lastIndex
      if (isLast) return start + end === array.length
    }
    // A record may be longer than a part.
    if (end === 0 && start + room >= array.length) return false
    if (end > 0) room = PART / 2
    start += end
  }
}
