import { isUtf8 } from 'node:buffer'
import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { decodeWords, ENCODED_WORDS, encodeWord } from './encoded-words.ts'
import { stripMetadata } from './strip-metadata.ts'

/** A text that stands in another in base64 or hexadecimal digits, or in encoded words of mail. */
export interface EncodedText {
  start: number
  end: number
  /** The text itself, or the texts among other bytes, each in a line. */
  text: string
  /** Writes another text in the same way. */
  encode: (text: string) => string
  /** It is a picture with metadata, which it loses whatever they say. */
  isPicture?: boolean
}

/** Characters of a run that is decoded, at least: an address in base64 has hardly fewer. */
const SHORTEST = 16
/** Characters of a run that may go on in the next line. */
const SHORTEST_LINE = 40
/** Bytes to which a run may expand. */
const LARGEST = 16 * 2 ** 20
/** Lines at which texts that end together may begin: each of them would be decoded to the end. */
const TRIES = 8
/** Characters of a text among other bytes, at least. */
const SHORTEST_TEXT = 7

/** A run of the letters of base64, which has those of hexadecimal digits. */
const RUN = new RegExp(`[A-Za-z0-9+/_-]{${SHORTEST},}={0,2}`, 'g')
/** The same, and words of mail. */
const RUN_OR_WORDS = new RegExp(`${ENCODED_WORDS}|${RUN.source}`, 'gi')
/** The next line of a file or mail. */
const NEXT_LINE = /\r?\n[ \t]{0,16}([A-Za-z0-9+/]+={0,2})(?=\r?\n|$|[^A-Za-z0-9+/= \t])/y
const HEX = /^(?:[0-9a-f]{2})+$/i
/** A word, the name of a constant and a path have no capital letters, or nothing else. */
const isMixed = (run: string): boolean => /[A-Z]/.test(run) && /[a-z0-9]/.test(run)

/** Finds texts that are encoded in a text, in their order and in time linear in it. */
export function* encodedTexts(text: string): Generator<EncodedText> {
  let last = 0
  let lines = { ends: [0], tries: 0 }
  for (const { 0: run, index } of text.matchAll(text.includes('=?') ? RUN_OR_WORDS : RUN)) {
    if (index < last) continue
    if (run.startsWith('=?')) {
      last = index + run.length
      yield { start: index, end: last, text: decodeWords(run), encode: encodeWord }
      continue
    }
    const start = index + prefixOf(run).length
    const firstEnd = index + run.length
    if (firstEnd >= (lines.ends[0] as number)) {
      lines = { ends: endsOfLines(text, start, firstEnd), tries: 0 }
    }
    const ends = [...new Set(lines.tries++ < TRIES ? [...lines.ends, firstEnd] : [firstEnd])]
    const found = firstText(text, start, ends, true) ?? partsIn(text, start, firstEnd)
    // The whole once more: it may be no text.
    for (const each of found ?? firstText(text, start, ends.slice(0, 1), false) ?? []) {
      yield each
      last = each.end
    }
  }
}

/** Decodes a run: the longest of those that begin at `start` and end at one of `ends`. Undefined if none is encoded. */
function firstText(
  text: string,
  start: number,
  ends: readonly number[],
  isText: boolean,
): EncodedText[] | undefined {
  for (const end of ends) {
    const decoded = decode(text.slice(start, end), { isText })
    if (decoded) return [{ start, end, ...decoded }]
  }
  return undefined
}

/** Parts of a run that are encoded by themselves: a folder of a URL, and what is behind a word, as in `id_QWRh…`. */
const PARTS = [new RegExp(`[^/]{${SHORTEST},}`, 'g'), new RegExp(`[^/_-]{${SHORTEST},}`, 'g')]

function partsIn(text: string, start: number, end: number): EncodedText[] | undefined {
  const run = text.slice(start, end)
  if (!/[/_-]/.test(run)) return undefined
  for (const pattern of PARTS) {
    const found = [...run.matchAll(pattern)].flatMap(({ 0: part, index }) => {
      const at = start + index
      const isWhole = part.length === run.length
      return isWhole ? [] : (firstText(text, at, [at + part.length], true) ?? [])
    })
    if (found.length > 0) return found
  }
  return undefined
}

/** What is before hexadecimal digits in programs and databases: `0x`, and `\\x` without its backslash. */
const prefixOf = (run: string): string => /^0?x(?=(?:[0-9a-f]{2})+$)/i.exec(run)?.[0] ?? ''

/** Where a run of lines may end: behind its last line, which may also be a word that is none of it, or the line before. */
function endsOfLines(text: string, start: number, firstEnd: number): number[] {
  const length = firstEnd - start
  const ends = [firstEnd]
  if (length < SHORTEST_LINE || length % 4 !== 0 || text[firstEnd - 1] === '=') return ends
  for (;;) {
    NEXT_LINE.lastIndex = ends[0] as number
    const [, line = ''] = NEXT_LINE.exec(text) ?? []
    if (line === '' || line.length > length || line.length % 4 !== 0) break
    ends.unshift(NEXT_LINE.lastIndex)
    if (line.length < length || line.endsWith('=')) break
  }
  return ends.slice(0, 2)
}

/** Where encoded texts may be in bytes: a long one has several places. */
export function encodedHints(bytes: Buffer): number[] {
  const found: number[] = []
  for (const [start, end] of runsIn(bytes)) {
    const run = bytes.toString('latin1', start, end)
    if (!decode(run.slice(prefixOf(run).length)) && !partsIn(run, 0, run.length)) continue
    for (let at = start; at < end; at += BETWEEN_HINTS) found.push(at)
  }
  return found
}

/** The runs in bytes. Of words, which are shorter, it sees only some bytes, so that it is much faster than a pattern. */
function* runsIn(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  let last = 0
  for (let at = SHORTEST - 1; at < bytes.length; ) {
    if (IN_RUN[bytes[at] as number] === 0) {
      last = at + 1
      at += SHORTEST
      continue
    }
    let start = at
    let signs = 0
    while (start > last && IN_RUN[bytes[start - 1] as number] !== 0) {
      signs |= IN_RUN[bytes[--start] as number] as number
    }
    let end = at
    while (end < bytes.length && IN_RUN[bytes[end] as number] !== 0) {
      signs |= IN_RUN[bytes[end++] as number] as number
    }
    const skipped = escapeAt(bytes, start)
    if (skipped > 0) {
      start += skipped
      signs = signsIn(bytes.subarray(start, end))
    }
    // Neither digits nor letters in both cases: most of these are paths.
    const mayBe = (signs & (CAPITAL | SMALL)) === (CAPITAL | SMALL) || (signs & OTHER) === 0
    if (mayBe && end - start >= SHORTEST) {
      const padding = bytes[end] !== EQUALS ? 0 : bytes[end + 1] !== EQUALS ? 1 : 2
      yield [start, end + padding]
    }
    // What stands behind a run is in none.
    last = end
    at = end + SHORTEST
  }
}

const signsIn = (bytes: Uint8Array): number =>
  bytes.reduce((signs, byte) => signs | (IN_RUN[byte] as number), 0)

/** The letters and digits of an escape before a run: the first characters of `\nQWRh…` and `%0AQWRh…`. */
function escapeAt(bytes: Buffer, start: number): number {
  const before = bytes[start - 1]
  if (before !== BACKSLASH && before !== PERCENT) return 0
  const ofSign = before === BACKSLASH ? END_OF_ESCAPE : END_OF_PERCENT
  return ofSign.exec(bytes.toString('latin1', start, start + 5))?.[0].length ?? 0
}

const [BACKSLASH, PERCENT] = [0x5c, 0x25]
const END_OF_ESCAPE = /^(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[0-3][0-7]{2}|[bfnrt0])/i
const END_OF_PERCENT = /^[0-9a-f]{2}/i

/** What a byte of a run may be: a capital letter, a small one or a digit, and none of hexadecimal digits and `0x`. */
const [CAPITAL, SMALL, OTHER] = [1, 2, 4]
const IN_RUN = Uint8Array.from({ length: 256 }, (_, byte) => {
  const sign = String.fromCharCode(byte)
  if (!/[A-Za-z0-9+/_-]/.test(sign)) return 0
  const kind = /[A-Z]/.test(sign) ? CAPITAL : /[a-z0-9]/.test(sign) ? SMALL : 0
  return kind | (/[0-9a-fx]/i.test(sign) ? 0 : OTHER)
})
const EQUALS = 0x3d

const BETWEEN_HINTS = 4096

type Decoded = Omit<EncodedText, 'start' | 'end'>

/** Characters of a picture: a longer run may have been cut. */
const LONGEST_PICTURE = 2 ** 20

function decode(run: string, { isText = false } = {}): Decoded | undefined {
  if (HEX.test(run)) {
    const upper = /[A-F]/.test(run)
    const inner = decodeText(Buffer.from(run, 'hex'))
    const encode = (now: string) => {
      const digits = inner?.encode(now).toString('hex') ?? ''
      return upper ? digits.toUpperCase() : digits
    }
    if (inner) return { text: inner.text, encode }
  }
  if (!isMixed(run)) return undefined
  const lines = run.split(/\r?\n[ \t]*/)
  const bytes = Buffer.from(lines.join(''), 'base64')
  const drawn = run.length < LONGEST_PICTURE ? stripMetadata(bytes) : undefined
  if (drawn?.equals(bytes)) return undefined
  const inner = drawn
    ? { text: textsAmong(bytes) ?? '', encode: () => drawn }
    : (decodeText(bytes) ?? (isText ? undefined : decodeOthers(bytes)))
  if (!inner) return undefined
  const [first = ''] = lines
  const [lineBreak = ''] = /\r?\n[ \t]*/.exec(run) ?? []
  const isForUrls = /[_-]/.test(run)
  const isPadded = lines.join('').length % 4 === 0
  return {
    text: inner.text,
    ...(drawn && { isPicture: true }),
    encode(now) {
      const whole = inner.encode(now).toString('base64')
      const padded = isForUrls ? whole.replaceAll('+', '-').replaceAll('/', '_') : whole
      const written = isPadded ? padded : padded.replace(/={1,2}$/, '')
      if (lineBreak === '') return written
      return written.replace(new RegExp(`.{${first.length}}(?=.)`, 'g'), `$&${lineBreak}`)
    },
  }
}

interface DecodedBytes {
  text: string
  encode: (text: string) => Buffer
}

/** The text that bytes are, and how another one becomes bytes. */
function decodeText(bytes: Buffer): DecodedBytes | undefined {
  const plain = plainText(bytes)
  if (plain !== undefined) return { text: plain, encode: (text) => Buffer.from(text) }
  const wide = wideText(bytes)
  if (wide !== undefined) return { text: wide, encode: (text) => Buffer.from(text, 'utf16le') }
  for (const { test, inflate, deflate } of COMPRESSED) {
    if (!test(bytes)) continue
    const inflated = attempt(() => inflate(bytes))
    const text = inflated && plainText(inflated)
    if (text !== undefined) return { text, encode: (now) => deflate(Buffer.from(now)) }
  }
  return undefined
}

/** The texts among bytes. Of a certificate that has a value, only these stay. */
function decodeOthers(bytes: Buffer): DecodedBytes | undefined {
  const text = textsAmong(bytes)
  return text === undefined ? undefined : { text, encode: (now) => Buffer.from(now) }
}

const textsAmong = (bytes: Buffer): string | undefined =>
  bytes.toString('latin1').match(TEXTS)?.join('\n').replace(BEFORE_NEXT, ' ')

/** In a certificate, what follows a text often begins with the byte of a digit. */
const BEFORE_NEXT = /(?<=[A-Za-z])(?=[01](?![0-9]))/g

const TEXTS = new RegExp(`[ -~]{${SHORTEST_TEXT},}`, 'g')

/** Bytes as a text, if they are one. */
function plainText(bytes: Buffer): string | undefined {
  if (bytes.length < SHORTEST_TEXT || !isUtf8(bytes)) return undefined
  const text = bytes.toString()
  return NO_TEXT.test(text) ? undefined : text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text has these
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/

/** Bytes as a text in UTF-16 that has a mark of its order, or begins with a character of Latin-1. */
function wideText(bytes: Buffer): string | undefined {
  const isMarked = bytes[0] === 0xff && bytes[1] === 0xfe
  if (bytes.length % 2 !== 0 || (!isMarked && bytes[1] !== 0)) return undefined
  const text = bytes.toString('utf16le')
  return text.length < SHORTEST_TEXT || NO_TEXT.test(text) ? undefined : text
}

const limits = { maxOutputLength: LARGEST }
const COMPRESSED: readonly {
  test: (bytes: Buffer) => boolean
  inflate: (bytes: Buffer) => Buffer
  deflate: (bytes: Buffer) => Buffer
}[] = [
  {
    test: (bytes) => bytes.length > 18 && bytes.readUInt16BE() === 0x1f8b,
    inflate: (bytes) => gunzipSync(bytes, limits),
    deflate: (bytes) => gzipSync(bytes),
  },
  {
    test: (bytes) => bytes.length > 8 && bytes[0] === 0x78 && bytes.readUInt16BE() % 31 === 0,
    inflate: (bytes) => inflateSync(bytes, limits),
    deflate: (bytes) => deflateSync(bytes),
  },
]

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
