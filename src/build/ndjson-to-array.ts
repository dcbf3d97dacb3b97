import { asBuffer, type Bytes } from '../base/streams.ts'

const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Bytes that an array adds to its values. */
export const BRACKETS = 2

/**
 * Converts consecutive JSON values, such as NDJSON, to an array. A comma replaces the last white space between two, so
 * the size is known in advance: two bytes more. `count` returns the number of values.
 */
export function ndjsonToArray(bytes: Bytes): { bytes: Bytes; count: () => number } {
  let count = 0
  let depth = 0
  let quoted = false
  let escaped = false
  /** Inside a value without quotes or brackets, such as a number. */
  let bare = false
  let needsComma = false

  /** Advances by one byte. Returns whether a value begins here without a comma before it. */
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
    // The last byte, which may become a comma.
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
