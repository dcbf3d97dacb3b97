/** The state of the scan of an element. */
export interface Scan {
  /** The byte to look at next. */
  at: number
  depth: number
  /** Within a string. */
  quoted: boolean
  /** After a string, which only some bytes may follow. */
  afterText: boolean
  /** Brackets, strings, numbers and words so far: each takes memory, even if it is short. */
  parts: number
  /** Backslashes so far that escape a character. */
  escapes: number
  /** Within a number or a word. */
  inWord: boolean
}

export const startScan = (): Scan => ({
  at: 0,
  depth: 0,
  quoted: false,
  afterText: false,
  parts: 0,
  escapes: 0,
  inWord: false,
})

/** Limits on the levels, parts and escapes of an element. */
export type ScanLimits = Pick<Scan, 'depth' | 'parts' | 'escapes'>

const BACKSLASH = 0x5c
const QUOTE = 0x22
const SPACE = 0x20

export const isSpace = (byte: number | undefined): boolean =>
  byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09

const bytesOf = (text: string) => new Set(Buffer.from(text))
const OPENING = bytesOf('[{')
const CLOSING = bytesOf(']}')
const AFTER_TEXT = bytesOf(',:]}')
const BETWEEN = bytesOf(',:')
const OF_WORDS = bytesOf('0123456789+-.eEtrufalsn')

/**
 * Looks for the end of an element and leaves `at` there, before the comma or bracket that follows. Returns `more` if
 * that needs more bytes, `broken` at a byte that cannot be there in any JSON, or the limit that is exceeded. Only
 * parsing shows whether the element is JSON. With `alone` an element ends after its last bracket, whatever follows.
 */
export function scanElement(
  bytes: Buffer,
  scan: Scan,
  limits: ScanLimits,
  alone = false,
): 'done' | 'more' | 'broken' | 'deep' | 'parts' | 'escapes' {
  for (; scan.at < bytes.length; scan.at++) {
    const byte = bytes[scan.at] as number
    if (scan.quoted) {
      if (byte === BACKSLASH) {
        scan.at++
        if (++scan.escapes > limits.escapes) return 'escapes'
      } else if (byte < SPACE) return 'broken'
      else if (byte === QUOTE) {
        scan.quoted = false
        scan.afterText = true
      }
      continue
    }
    const inWord = OF_WORDS.has(byte)
    if (scan.depth === 0 && (byte === 0x2c || CLOSING.has(byte))) return 'done'
    if (inWord ? !scan.inWord : !isSpace(byte) && !BETWEEN.has(byte)) {
      if (++scan.parts > limits.parts) return 'parts'
    }
    scan.inWord = inWord
    if (isSpace(byte)) continue
    if (scan.afterText && !AFTER_TEXT.has(byte)) return 'broken'
    scan.afterText = false
    if (byte === QUOTE) scan.quoted = true
    else if (OPENING.has(byte)) {
      if (++scan.depth > limits.depth) return 'deep'
    } else if (CLOSING.has(byte)) {
      if (--scan.depth === 0 && alone) {
        scan.at++
        return 'done'
      }
    } else if (!inWord && !BETWEEN.has(byte)) return 'broken'
  }
  return 'more'
}
