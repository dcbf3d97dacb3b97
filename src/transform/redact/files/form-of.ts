import { isUtf8 } from 'node:buffer'
import { type Bytes, concat } from '../../../base/streams.ts'
import { type Encoding, sequencesIn, trailingBytes } from './encodings.ts'

/** Reads a content from its beginning; as often as it is called. */
export type Read = () => Bytes

/** The form of a content: something that can be read, or a type that is not. */
export type Form =
  | { is: 'text'; encoding: Encoding }
  | { is: 'gzip' | 'zip' | 'picture'; type: string }
  | { is: 'unread'; type: string }

/** Bytes that are enough to tell a type. */
const HEAD = 1024

/** Tells what a content is by its bytes; names may lie. */
export async function formOf(read: Read): Promise<Form> {
  const head = await headOf(read)
  const known = SIGNATURES.find(({ test }) => test(head))
  if (known) return { is: known.is ?? 'unread', type: known.type }
  return (await textForm(read, head)) ?? { is: 'unread', type: 'other binary' }
}

/** The first bytes of a content, 1 KiB at most. */
export async function headOf(read: Read): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of read()) {
    pieces.push(piece)
    size += piece.length
    if (size >= HEAD) break
  }
  return concat(pieces).subarray(0, HEAD)
}

interface Signature {
  type: string
  is?: 'gzip' | 'zip' | 'picture'
  test: (head: Buffer) => boolean
}

/** A type whose contents begin with some bytes: in hex, `.` for half a byte of any value. */
const begins = (type: string, hex: string, is?: Signature['is']): Signature => {
  const pattern = new RegExp(`^${hex}`)
  return { type, ...(is && { is }), test: (head) => pattern.test(head.toString('hex', 0, 24)) }
}

const SIGNATURES: readonly Signature[] = [
  begins('gzip', '1f8b08', 'gzip'),
  begins('zip', '504b0304', 'zip'),
  begins('zip', '504b0506', 'zip'),
  begins('PNG', '89504e470d0a1a0a', 'picture'),
  begins('JPEG', 'ffd8', 'picture'),
  begins('WebP', '52494646.{8}57454250', 'picture'),
  { type: 'PDF', test: (head) => /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head.toString('latin1')) },
  // Its groups and words may stand within a value.
  begins('RTF', '7b5c727466'),
  begins('GIF', '474946383[79]61'),
  begins('TIFF', '49492a00'),
  begins('TIFF', '4d4d002a'),
  begins('HEIF or AVIF', '.{8}66747970(?:6865|6d69|6d73|61766966)'),
  begins('MP4 or MOV', '.{8}66747970'),
  begins('Matroska or WebM', '1a45dfa3'),
  begins('Ogg', '4f67675300'),
  begins('MP3', '4944330[234]'),
  begins('FLAC', '664c614300'),
  begins('AVI', '52494646.{8}415649'),
  begins('WAV', '52494646.{8}57415645'),
  begins('7-Zip', '377abcaf271c'),
  begins('RAR', '526172211a07'),
  begins('xz', 'fd377a585a00'),
  begins('bzip2', '425a683.314159265359'),
  begins('zstd', '28b52ffd'),
  begins('Office 97 or Outlook', 'd0cf11e0a1b11ae1'),
  begins('SQLite', '53514c69746520666f726d6174203300'),
  begins('ELF', '7f454c46'),
  begins('WebAssembly', '0061736d'),
  begins('pcap', '(?:d4c3b2a1|a1b2c3d4|0a0d0d0a)'),
  begins('UTF-32', '(?:fffe0000|0000feff)'),
  { type: 'tar', test: isTar },
]

/** A tar of any age: its header begins with a path, and has its own sum. */
function isTar(head: Buffer): boolean {
  if (head.length < 512) return false
  if (head.toString('latin1', 257, 262) === 'ustar') return true
  const sum = Number.parseInt(head.toString('latin1', 148, 156).replaceAll('\0', ' ').trim(), 8)
  if (Number.isNaN(sum)) return false
  let found = 8 * 0x20
  for (const [at, byte] of head.subarray(0, 512).entries()) {
    if (at < 148 || at >= 156) found += byte
  }
  return sum === found
}

/** The form of a text; undefined for what is none. */
async function textForm(read: Read, head: Buffer): Promise<Form | undefined> {
  const text = (encoding: Encoding): Form => ({ is: 'text', encoding })
  if (await isPlainUtf8(read)) return text('utf-8')
  const counts = await countBytes(read)
  const { size, low, high } = counts
  if (size % 2 === 0) {
    const mark = head.length >= 2 ? head.readUInt16BE() : 0
    if (mark === 0xfffe || isWide(high, low, size)) return text('utf-16le')
    if (mark === 0xfeff || isWide(low, high, size)) return text('utf-16be')
  }
  if (counts.controls > 0) return undefined
  if (counts.invalid === 0) return text('utf-8')
  if (counts.sequences > counts.invalid) return text('faulty utf-8')
  if (counts.undefined === 0) return text('windows-1252')
  // Such as Shift-JIS.
  return low.zeros + high.zeros === 0
    ? { is: 'unread', type: 'text of unknown encoding' }
    : undefined
}

/** Bytes at even places, or at odd ones. */
interface Side {
  zeros: number
  /** Control characters, if the byte is the lower one of a pair. */
  controls: number
}

/** Whether a content is UTF-16: in Latin scripts, most upper bytes are zero. */
const isWide = (upper: Side, lower: Side, size: number): boolean =>
  lower.controls === 0 && upper.zeros > size / 8 && lower.zeros <= upper.zeros / 16

/** Whether a content is UTF-8 without zeros. */
async function isPlainUtf8(read: Read): Promise<boolean> {
  let rest: Uint8Array = new Uint8Array()
  for await (const piece of read()) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    const end = bytes.length - trailingBytes(bytes)
    if (bytes.includes(0) || !isUtf8(bytes.subarray(0, end))) return false
    rest = Uint8Array.from(bytes.subarray(end))
  }
  return rest.length === 0
}

/** Tab, line feed, vertical tab, form feed, carriage return, backspace, escape: in texts and what terminals print. */
const IN_TEXTS = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])
/** Bytes that have no character in windows-1252. */
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** Counts what tells encodings apart. */
async function countBytes(read: Read) {
  const low: Side = { zeros: 0, controls: 0 }
  const high: Side = { zeros: 0, controls: 0 }
  const counts = { size: 0, controls: 0, undefined: 0, sequences: 0, invalid: 0 }
  let before = 0
  let rest: Uint8Array = new Uint8Array()
  for await (const piece of read()) {
    for (const byte of piece) {
      const isOdd = counts.size++ % 2 === 1
      if (byte === 0) (isOdd ? high : low).zeros++
      else if (isControl(byte)) counts.controls++
      if (UNDEFINED.has(byte)) counts.undefined++
      if (isOdd && byte === 0 && isControl(before)) low.controls++
      if (isOdd && before === 0 && isControl(byte)) high.controls++
      before = byte
    }
    const bytes = Buffer.concat([rest, piece])
    const end = bytes.length - trailingBytes(bytes)
    countSequences(bytes.subarray(0, end), counts)
    rest = Uint8Array.from(bytes.subarray(end))
  }
  countSequences(Buffer.from(rest), counts)
  return { ...counts, low, high }
}

/** Whether a byte is in no text. */
const isControl = (byte: number): boolean => byte > 0 && byte < 0x20 && !IN_TEXTS.has(byte)

function countSequences(bytes: Buffer, counts: { sequences: number; invalid: number }): void {
  for (const { isValid } of sequencesIn(bytes)) {
    if (isValid) counts.sequences++
    else counts.invalid++
  }
}
