import { type Bytes, concat } from '../../../base/streams.ts'

export type Encoding = 'utf-8' | 'faulty utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Several bytes of one character in UTF-8, or a byte that is part of none. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

/** The characters beyond ASCII, and the bytes that belong to none. */
export function* sequencesIn(bytes: Buffer): Generator<{ isValid: boolean }> {
  for (const [sequence] of bytes.toString('latin1').matchAll(SEQUENCE)) {
    yield { isValid: sequence.length > 1 }
  }
}

/** How many bytes at the end may begin a character of UTF-8 that goes on in the next piece: at most three. */
export function trailingBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0
  }
  return 0
}

/** The text of bytes, in pieces. `encodeText` makes the same bytes of it. */
export async function* decodeText(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const { decode, rest } = CODECS[encoding]
  let waiting: Uint8Array = new Uint8Array()
  for await (const piece of bytes) {
    const whole = concat(waiting.length > 0 ? [waiting, piece] : [piece])
    const end = whole.length - rest(whole)
    if (end > 0) yield decode(whole.subarray(0, end))
    waiting = Uint8Array.from(whole.subarray(end))
  }
  if (waiting.length > 0) yield decode(Buffer.from(waiting))
}

/** The bytes of a text. */
export const encodeText = (text: string, encoding: Encoding): Buffer =>
  CODECS[encoding].encode(text)

interface Codec {
  decode(bytes: Buffer): string
  encode(text: string): Buffer
  /** How many bytes at the end belong to a character that goes on. */
  rest(bytes: Uint8Array): number
}

/** The characters of windows-1252 that are not those of Latin-1. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const toWindows = new Map([...WINDOWS].map((character, i) => [character, i + 0x80]))

const rest16 = (bytes: Uint8Array): number => bytes.length % 2

const CODECS: Readonly<Record<Encoding, Codec>> = {
  'utf-8': {
    decode: (bytes) => bytes.toString(),
    encode: (text) => Buffer.from(text),
    rest: trailingBytes,
  },
  // A byte that is part of no character is kept as half a surrogate pair, which no valid text has alone.
  'faulty utf-8': {
    decode: (bytes) =>
      bytes
        .toString('latin1')
        .replace(SEQUENCE, (sequence) =>
          sequence.length > 1
            ? Buffer.from(sequence, 'latin1').toString()
            : String.fromCharCode(0xdc00 + sequence.charCodeAt(0)),
        ),
    encode: (text) =>
      Buffer.concat(
        text
          .split(/(\p{Cs}+)/u)
          .map((part, i) => Buffer.from(part, i % 2 === 0 ? 'utf8' : 'latin1')),
      ),
    rest: trailingBytes,
  },
  'utf-16le': {
    decode: (bytes) => bytes.toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le'),
    rest: rest16,
  },
  'utf-16be': {
    decode: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
    rest: rest16,
  },
  'windows-1252': {
    decode: (bytes) =>
      bytes
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, (byte) => WINDOWS[byte.charCodeAt(0) - 0x80] as string),
    encode: (text) =>
      Buffer.from(
        text.replace(/[\u0100-\uffff]/g, (character) =>
          String.fromCharCode(toWindows.get(character) ?? 0x3f),
        ),
        'latin1',
      ),
    rest: () => 0,
  },
}
