import { asBuffer, type Bytes } from '../streams.ts'

const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** What an array of values takes beside these: its brackets. */
export const BRACKETS = 2

/**
 * JSON values one after the other, such as one on each line, as one array. A comma takes the place of the last space
 * between two, so that the size is known beforehand: it is two bytes more. `count` tells how many values there were.
 */
export function ndjsonToArray(bytes: Bytes): { bytes: Bytes; count: () => number } {
  let count = 0
  let depth = 0
  let quoted = false
  let escaped = false
  /** Within a value that is neither quoted nor in brackets, such as a number. */
  let bare = false
  let needsComma = false

  /** Goes on by one byte; tells whether a value begins here that is not parted from the one before. */
  const next = (byte: number): boolean => {
    if (quoted) {
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) quoted = false
      return false
    }
    if (depth === 0 && SPACES.has(byte)) {
      bare = false
      return false
    }
    if (depth === 0 && byte === COMMA) {
      bare = false
      needsComma = false
      return false
    }
    const begins = depth === 0 && !bare
    const isUnparted = begins && needsComma
    if (begins) {
      count++
      needsComma = true
    }
    if (byte === QUOTE) quoted = true
    else if (OPENING.has(byte)) depth++
    else if (CLOSING.has(byte)) depth--
    bare = depth === 0 && !quoted && !CLOSING.has(byte)
    return isUnparted
  }

  async function* pass() {
    yield Buffer.from('[')
    // The last byte so far, which may have to become a comma.
    let held: Buffer | undefined
    for await (const chunk of bytes) {
      const piece = Buffer.concat(held ? [held, asBuffer(chunk)] : [chunk])
      for (let i = held ? 1 : 0; i < piece.length; i++) {
        if (!next(piece[i] as number) || i === 0) continue
        if (SPACES.has(piece[i - 1] as number)) piece[i - 1] = COMMA
      }
      if (piece.length > 1) yield piece.subarray(0, -1)
      held = piece.subarray(-1)
    }
    if (held) yield held
    yield Buffer.from(']')
  }
  return { bytes: pass(), count: () => count }
}
