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
  if (bytes.includes(0)) yield bytes.filter((byte) => byte !== 0) as Buffer
  let text = bytes.toString('latin1')
  for (let i = 0; i < 3; i++) {
    const plain = withoutEscapes(text)
    if (plain === text) return
    yield Buffer.from(plain, 'latin1')
    text = plain
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of terminals begin with one
const COLOR = /(?:\x1b|\\u001b)\[[\d;]*[mK]/gi

const withoutEscapes = (text: string): string =>
  text
    .replace(COLOR, '')
    .replace(
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
