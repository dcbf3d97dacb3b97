const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const ZERO = 0x30
const [LETTER_A, LETTER_F, LETTER_U] = [0x61, 0x66, 0x75] as const

/** Digits of an integer that a double surely keeps. */
const MOST_DIGITS = 15

/** What a text may not simply go on with: quotes, backslashes and control characters. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 0x20 || byte === QUOTE || byte === BACKSLASH),
)

/**
 * Where the text, integer or word that begins here in JSON is over; -1 if none does, or a number that may be more
 * than a double keeps.
 */
export function endOfScalar(bytes: Uint8Array, start: number): number {
  switch (bytes[start]) {
    case QUOTE:
      return endOfText(bytes, start)
    case 0x6e:
      return endOfWord(bytes, start, 'null')
    case 0x74:
      return endOfWord(bytes, start, 'true')
    case 0x66:
      return endOfWord(bytes, start, 'false')
    default:
      return endOfInteger(bytes, start)
  }
}

/** Where the text that begins here, at its quotes, is over; -1 if it is none, or has escapes. */
export function endOfPlainText(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) return -1
  const end = nextStop(bytes, start + 1)
  return bytes[end] === QUOTE ? end + 1 : -1
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = nextStop(bytes, start + 1)
  while (at >= 0 && bytes[at] === BACKSLASH) {
    const end = endOfEscape(bytes, at)
    at = end < 0 ? -1 : nextStop(bytes, end)
  }
  return bytes[at] === QUOTE ? at + 1 : -1
}

/** The first stop from here on; the end of the bytes, if there is none. */
function nextStop(bytes: Uint8Array, start: number): number {
  const { length } = bytes
  let at = start
  // Four at a time: texts are most of what there is.
  for (; at + 3 < length; at += 4) {
    if (stop(bytes, at) | stop(bytes, at + 1) | stop(bytes, at + 2) | stop(bytes, at + 3)) break
  }
  while (at < length && stop(bytes, at) === 0) at++
  return at
}

const stop = (bytes: Uint8Array, at: number): number => STOPS[bytes[at] as number] as number

function endOfEscape(bytes: Uint8Array, start: number): number {
  const letter = bytes[start + 1] as number
  if (letter !== LETTER_U) return SHORT_ESCAPES.has(letter) ? start + 2 : -1
  for (let at = start + 2; at < start + 6; at++) if (!isHex(bytes[at])) return -1
  return start + 6
}

const SHORT_ESCAPES = new Set(Buffer.from('"\\/bfnrt'))

function endOfWord(bytes: Uint8Array, start: number, word: string): number {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word.charCodeAt(i)) return -1
  return start + word.length
}

function endOfInteger(bytes: Uint8Array, start: number): number {
  const first = start + Number(bytes[start] === MINUS)
  let end = first
  while (isDigit(bytes[end])) end++
  const digits = end - first
  if (bytes[first] === ZERO) return digits === 1 && first === start ? end : -1
  return digits > 0 && digits <= MOST_DIGITS ? end : -1
}

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte < ZERO + 10

function isHex(byte: number | undefined): boolean {
  if (byte === undefined || isDigit(byte)) return byte !== undefined
  const letter = byte | 0x20
  return letter >= LETTER_A && letter <= LETTER_F
}
