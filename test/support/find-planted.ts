/** Looks for many words at once in bytes, in what of them can be decompressed, and behind escapes. */

import { compressedIn } from './adversary.ts'

const WINDOW = 8
const DEEPEST = 6
/** 31 to the power of the window. */
const OLDEST = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, 31), 1)

/**
 * Creates a search for words of eight characters of ASCII or more. The case of letters does not count.
 *
 * @returns what of them is in the bytes, or in whatever is compressed or escaped there
 */
export function createPlantedSearch(words: Iterable<string>): (bytes: Uint8Array) => Set<string> {
  const byStart = new Map<number, string[]>()
  for (const word of words) {
    if (word.length < WINDOW) throw new RangeError(`${word} is too short to be looked for`)
    const key = hashOf(word)
    byStart.set(key, [...(byStart.get(key) ?? []), word])
  }
  const isStart = new Uint8Array(2 ** 22)
  for (const key of byStart.keys()) isStart[key & (2 ** 22 - 1)] = 1

  const searchPlain = (bytes: Uint8Array, found: Set<string>) => {
    let hash = 0
    for (let i = 0; i < bytes.length; i++) {
      hash = (Math.imul(hash, 31) + lower(bytes[i] as number)) | 0
      if (i >= WINDOW) {
        hash = (hash - Math.imul(lower(bytes[i - WINDOW] as number), OLDEST)) | 0
      }
      if (!isStart[hash & (2 ** 22 - 1)]) continue
      for (const word of byStart.get(hash) ?? []) {
        const start = i - WINDOW + 1
        const there = Buffer.from(bytes.buffer, bytes.byteOffset + start, word.length)
        if (start + word.length > bytes.length) continue
        if (there.toString('latin1').toLowerCase() === word) found.add(word)
      }
    }
  }

  const searchDeep = (bytes: Buffer, found: Set<string>, depth: number) => {
    for (const form of formsOf(bytes)) searchPlain(form, found)
    if (depth === DEEPEST) return
    for (const [, content] of compressedIn(bytes)) searchDeep(content, found, depth + 1)
  }
  return (bytes) => {
    const found = new Set<string>()
    searchDeep(Buffer.from(bytes), found, 0)
    return found
  }
}

const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)

function hashOf(word: string): number {
  let hash = 0
  for (let i = 0; i < WINDOW; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0
  return hash
}

/** Bytes as they are, without the zeros of UTF-16, and without escapes, also two of them about one another. */
function* formsOf(bytes: Buffer): Generator<Buffer> {
  yield bytes
  if (bytes.includes(0)) {
    const narrow = bytes.filter((byte) => byte !== 0) as Buffer
    yield narrow
    yield Buffer.from(narrow.toString('latin1').replace(UNSEEN_WIDE, ''), 'latin1')
  }
  let text = bytes.toString('latin1')
  for (let i = 0; i < 3; i++) {
    const seen = text.replace(COLOR, '').replace(UNSEEN, '').replace(WORD, wordOf)
    if (seen !== text) yield Buffer.from(seen, 'latin1')
    const plain = withoutEscapes(seen)
    if (plain === text) return
    yield Buffer.from(plain, 'latin1')
    text = plain
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of terminals begin with one
const COLOR = /(?:\x1b|\\u001b)\[[\d;]*[mK]/gi

/** Marks of direction and characters without a width, in UTF-8 and as entities, and comments of HTML. */
const UNSEEN =
  /\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])|\xef\xbb\xbf|\xc2\xad|&#8203;|<!--.{0,300}?-->/gs
/** The same in UTF-16 without its zeros. */
const UNSEEN_WIDE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their low bytes are controls
  /(?:[\x0b-\x0f*-.\x60-\x6f] |\xff\xfe|\xad){4,}|(?: [\x0b-\x0f*-.\x60-\x6f]|\xfe\xff|\xad){4,}/g

/** Words of a header of mail. */
const WORD = /=\?utf-8\?([qb])\?([^?]*)\?=(?:(?:\\r\\n|\r\n) (?==\?))?/gi
const wordOf = (_: string, coding: string, content: string): string =>
  /b/i.test(coding)
    ? Buffer.from(content, 'base64').toString('latin1')
    : content
        .replaceAll('_', ' ')
        .replace(/=(..)/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)))

const withoutEscapes = (text: string): string =>
  text.replace(
    /=\r?\n|=(?:\\r)?\\n|\\\\|\\[nrtfb/"]|\\(?:u00|u\{|x)([0-9a-f]{2})\}?|[%=]([0-9a-f]{2})|&#(\d{1,3});|&#x([0-9a-f]{2});/gi,
    (match, ...codes: (string | undefined)[]) => {
      const [json, percent, decimal, hex] = codes
      const code = json ?? percent ?? hex
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      if (decimal !== undefined) return String.fromCharCode(Number(decimal) & 255)
      if (match === '\\\\') return '\\'
      return match.startsWith('\\') ? ' ' : ''
    },
  )
