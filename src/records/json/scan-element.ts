/** How far the scan of an element of a JSON array has come. */
export interface Scan {
  /** The byte to look at next. */
  at: number
  depth: number
  /** Within a text in quotes. */
  quoted: boolean
  /** After such a text, where not everything may follow. */
  afterText: boolean
  /** Brackets, texts, numbers and words so far: what takes memory, however short it is. */
  parts: number
  /** Within a number or a word. */
  inWord: boolean
}

export const scanFrom = (at: number): Scan => ({
  ...{ at, depth: 0, quoted: false, afterText: false, parts: 0, inWord: false },
})

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
 * Looks for the end of an element, where `at` then stands: before the comma or bracket that follows. Wants more
 * bytes, or finds one that can't stand there in any JSON; whether the element is JSON, only parsing tells.
 */
export function scanElement(bytes: Buffer, scan: Scan): 'done' | 'more' | 'broken' {
  for (; scan.at < bytes.length; scan.at++) {
    const byte = bytes[scan.at] as number
    if (scan.quoted) {
      if (byte === BACKSLASH) scan.at++
      else if (byte < SPACE) return 'broken'
      else if (byte === QUOTE) Object.assign(scan, { quoted: false, afterText: true })
      continue
    }
    const inWord = OF_WORDS.has(byte)
    if (inWord ? !scan.inWord : !isSpace(byte) && !BETWEEN.has(byte)) scan.parts++
    scan.inWord = inWord
    if (isSpace(byte)) continue
    if (scan.depth === 0 && (byte === 0x2c || CLOSING.has(byte))) return 'done'
    if (scan.afterText && !AFTER_TEXT.has(byte)) return 'broken'
    scan.afterText = false
    if (byte === QUOTE) scan.quoted = true
    else if (OPENING.has(byte)) scan.depth++
    else if (CLOSING.has(byte)) scan.depth--
    else if (!inWord && !BETWEEN.has(byte)) return 'broken'
  }
  return 'more'
}
