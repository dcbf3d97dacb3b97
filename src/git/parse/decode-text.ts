import { isUtf8 } from 'node:buffer'

/**
 * Decodes text in the encoding that its object names, or else as UTF-8. Text that is invalid in that encoding is decoded
 * as UTF-8; invalid UTF-8 becomes U+FFFD.
 */
export function decodeText(bytes: Buffer, encoding?: string): string {
  const decoder = encoding === undefined ? undefined : decoderOf(encoding)
  if (decoder) {
    try {
      return decoder(bytes)
    } catch {
      // The text is not in that encoding.
    }
  }
  return isUtf8(bytes) ? bytes.toString('utf8') : utf8.decode(bytes)
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

type Decode = (bytes: Buffer) => string

const known = new Map<string, Decode | undefined>()
const MOST_KNOWN = 100

/** Undefined for UTF-8 and unknown encodings. */
function decoderOf(encoding: string): Decode | undefined {
  if (known.has(encoding)) return known.get(encoding)
  const decode = makeDecoder(encoding.trim().toLowerCase())
  if (known.size < MOST_KNOWN) known.set(encoding, decode)
  return decode
}

function makeDecoder(name: string): Decode | undefined {
  if (ASCII.has(name)) return decodeAscii
  if (LATIN1.has(name)) return (bytes) => bytes.toString('latin1')
  try {
    const decoder = new TextDecoder(LABELS[name] ?? name, { ignoreBOM: true, fatal: true })
    if (decoder.encoding === 'utf-8') return undefined
    return ISO.test(name) ? withC1(decoder) : (bytes) => decoder.decode(bytes)
  } catch {
    return undefined
  }
}

// TextDecoder reads these as windows-1252, which has other characters at 0x80 to 0x9f. Git, which uses iconv, does not.
const LATIN1 = new Set([
  'iso-8859-1',
  'iso8859-1',
  'iso_8859-1',
  'iso88591',
  'iso_8859-1:1987',
  'iso-ir-100',
  'latin1',
  'latin-1',
  'l1',
  'csisolatin1',
  'cp819',
  'ibm819',
])
const ASCII = new Set(['ascii', 'us-ascii', 'ansi_x3.4-1968', 'iso-ir-6', 'iso646-us'])

/** Latin-5 and Thai, which TextDecoder reads as their Windows supersets. */
const ISO = /^(?:iso[-_]?8859-(?:9|11)|latin5|l5|tis-620)$/

/** Names that iconv knows and TextDecoder does not. */
const LABELS: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  eucjp: 'euc-jp',
  'euc-cn': 'gbk',
  euccn: 'gbk',
  euckr: 'euc-kr',
  'shift-jis': 'shift_jis',
}

function decodeAscii(bytes: Buffer): string {
  if (bytes.some((byte) => byte > 127)) throw new RangeError('not ASCII')
  return bytes.toString('latin1')
}

/** Decodes byte by byte; 0x80 to 0x9f are control characters. */
const withC1 =
  (decoder: InstanceType<typeof TextDecoder>): Decode =>
  (bytes) =>
    Array.from(bytes, (byte) =>
      byte >= 0x80 && byte <= 0x9f
        ? String.fromCharCode(byte)
        : decoder.decode(Uint8Array.of(byte)),
    ).join('')
