/** The encodings in which a text may stand: within another text, or as the bytes of a file. */

import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { tarOf } from '../../../support/build-tar.ts'

const escapeWith = (text: string, pattern: RegExp, write: (code: number) => string) =>
  text.replace(pattern, (character) => write(character.codePointAt(0) as number))

const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0')

const quotedPrintable = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => (byte === 0x3d || byte > 0x7e ? `=${hex(byte)}` : String.fromCharCode(byte)))
    .join('')

/** A text with a mark within each of its long words. */
const within = (text: string, mark: string) =>
  text.replace(/(?<!\{)\b\w{5}(?=\w{5})/g, (start) => start + mark)

/** Marks of direction, and characters without a width. */
const UNSEEN =
  '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200c\u200d\u2060\ufeff\xad'

/** A text as words of a header of mail. */
const wordsOfMail = (text: string, write: (part: Buffer) => string) =>
  (text.match(/.{1,20}/gsu) ?? [])
    .map((part) => `=?utf-8?${write(Buffer.from(part))}?=`)
    .join('\r\n ')

const quoted = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9 ]/g, (sign) => `=${hex(sign.charCodeAt(0))}`)
    .replaceAll(' ', '_')

/** A text within another text. */
export const TEXT_CLOTHES: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => `see ${text} there`,
  'a log of JSON': (text) => JSON.stringify({ log: `first\n${text}\nlast` }),
  'a log of JSON in one of JSON': (text) =>
    JSON.stringify({ log: JSON.stringify({ log: `first\n${text}\nlast` }) }),
  'JSON in ASCII': (text) =>
    escapeWith(
      JSON.stringify({ log: `\t${text}` }),
      /[^ -~]|[&'+<=>@]/gu,
      (code) => `\\u${code.toString(16).padStart(4, '0')}`,
    ),
  'percent-encoded': (text) => `https://x.example/?q=a%3A${encodeURIComponent(text)}%26`,
  'entities of HTML': (text) =>
    `<p>a&nbsp;${escapeWith(text, /[^ -~]|[&"'<=>@]/gu, (code) => `&#${code};`)}&lt;br&gt;`,
  'quoted-printable': (text) => `q=3D${quotedPrintable(text)}=20\n`,
  'quoted-printable with soft breaks': (text) =>
    `q=3D${quotedPrintable(text).replaceAll(/(?:=..|[^=]){7}/g, '$&=\n')}\n`,
  'quoted-printable with soft breaks, in JSON': (text) =>
    JSON.stringify(`q=3D${quotedPrintable(text).replaceAll(/(?:=..|[^=]){7}/g, '$&=\r\n')}`),
  'words of mail': (text) => `Subject: ${wordsOfMail(text, (part) => `q?${quoted(part)}`)}`,
  'words of mail in base64': (text) =>
    `Subject: ${wordsOfMail(text, (part) => `B?${part.toString('base64')}`)}`,
  'a word of mail, in JSON': (text) =>
    JSON.stringify(`To: =?utf-8?Q?a=20${quoted(Buffer.from(text))}?=`),
  'a comment of HTML': (text) => `<!--${text}-->`,
  'words with comments of HTML': (text) => `a <!-- b -->${within(text, '<!-- "c" > d -->')}<!---->`,
  'words with marks that are not seen': (text) => `\u2067${within(text, UNSEEN)}\u2069`,
  'words with entities that are not seen': (text) => `&lrm;${within(text, '&#8203;')}&rlm;`,
  'percent-encoded, with a mark': (text) =>
    `https://x.example/?q=a%3A${encodeURIComponent(within(text, '\u202e'))}`,
  'quoted-printable, with a mark': (text) => `q=3D${quotedPrintable(within(text, '\u202e'))}=20\n`,
  'quoted-printable with soft breaks in a mark': (text) =>
    `q=3D${quotedPrintable(within(text, '\u202e')).replaceAll('=80', '=80=\n')}=20\n`,
  'a log of JSON in one of JSON, percent-encoded, with a mark': (text) =>
    JSON.stringify({
      log: JSON.stringify({ log: `q=a:${encodeURIComponent(within(text, '\u202e'))}` }),
    }),
  'escapes of programs': (text) =>
    `"\\x27${escapeWith(text, /[^ -~]|[&"'<=>@]/gu, (code) => `\\u{${code.toString(16)}}`)}\\0"`,
  'colors of a terminal': (text) =>
    `\x1b[1;32m${text.replaceAll('@', '\x1b[0m@\x1b[31m')}\x1b[0m\x1b[K`,
  'colors that lost their escapes': (text) => `[1;32m${text}[0m`,
}

/** An entry of a zip file, and nothing behind the last. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(0x21_0000, 6)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, name)
    parts.push(local)
    at += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, central, end])
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const docx = (text: string) =>
  zipOf({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'word/document.xml': `<?xml version="1.0"?><w:document><w:t>${escapeXml(text)}</w:t></w:document>`,
  })

const pdf = (text: string) =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj <</Filter /FlateDecode>>\nstream\n'),
    deflateSync(text),
    Buffer.from('\nendstream\n%%EOF'),
  ])

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length)
  bytes.set(body, 4)
  bytes.writeUInt32BE(crc32(body), data.length + 8)
  return bytes
}

const png = (text: string) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    pngChunk('zTXt', Buffer.concat([Buffer.from('Author\0\0'), deflateSync(text)])),
    pngChunk('tEXt', Buffer.from(`Comment\0${text}`)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

const block = (bytes: Buffer) => Buffer.from([bytes.length, ...bytes])

/** A picture with a comment. */
const gif = (text: string) => {
  const bytes = Buffer.from(text)
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, i) =>
    block(bytes.subarray(i * 255, i * 255 + 255)),
  )
  return Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
    Buffer.from([0x21, 0xfe]),
    ...blocks,
    Buffer.from([0, 0x3b]),
  ])
}

/** A picture with a segment for a comment. */
const jpeg = (text: string) => {
  const bytes = Buffer.from(text).subarray(0, 65_000)
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 4)
  return Buffer.concat([head, bytes, Buffer.from([0xff, 0xd9])])
}

/** A picture whose only tag is its description. */
const tiff = (text: string) => {
  const bytes = Buffer.from(`${text}\0`)
  const head = Buffer.from(
    '49492a00080000000100' + '0e010200' + '00000000' + '1a000000' + '00000000',
    'hex',
  )
  head.writeUInt32LE(bytes.length, 14)
  return Buffer.concat([head, bytes])
}

/** A text as the bytes of a file, by the ending of its name. */
export const FILE_CLOTHES: Readonly<
  Record<string, { ending: string; bytes: (text: string) => Buffer }>
> = {
  'UTF-8': { ending: 'txt', bytes: (text) => Buffer.from(text) },
  'UTF-8 with a mark': { ending: 'txt', bytes: (text) => Buffer.from(`\ufeff${text}`) },
  'UTF-16, little-endian': {
    ending: 'txt',
    bytes: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  },
  'UTF-16, big-endian': {
    ending: 'txt',
    bytes: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  },
  'UTF-16 without a mark': { ending: 'log', bytes: (text) => Buffer.from(text, 'utf16le') },
  'Latin-1': { ending: 'txt', bytes: (text) => Buffer.from(`Grüße\n${text}`, 'latin1') },
  'windows-1252': {
    ending: 'csv',
    bytes: (text) =>
      Buffer.concat([Buffer.from([0x93, 0x80, 0x94, 0x0a]), Buffer.from(text, 'latin1')]),
  },
  'a text with NUL': { ending: 'log', bytes: (text) => Buffer.from(`a\0b\0\n${text}`) },
  'more than a MiB of text': {
    ending: 'log',
    bytes: (text) => Buffer.from(`${'0 all is well here\n'.repeat(60_000)}${text}`),
  },
  gzip: { ending: 'log.gz', bytes: (text) => gzipSync(text) },
  'gzip in two parts': {
    ending: 'log.gz',
    bytes: (text) => Buffer.concat([gzipSync('first\n'), gzipSync(text)]),
  },
  zip: { ending: 'zip', bytes: (text) => zipOf({ 'logs/a.txt': text }) },
  'zip in zip': { ending: 'zip', bytes: (text) => zipOf({ 'b.zip': zipOf({ 'a.txt': text }) }) },
  'UTF-16 in zip': {
    ending: 'zip',
    bytes: (text) => zipOf({ 'a.txt': Buffer.from(`\ufeff${text}`, 'utf16le') }),
  },
  docx: { ending: 'docx', bytes: docx },
  odt: {
    ending: 'odt',
    bytes: (text) =>
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': `<?xml version="1.0"?><text:p>${escapeXml(text)}</text:p>`,
      }),
  },
  'tar.gz': {
    ending: 'tar.gz',
    bytes: (text) => gzipSync(tarOf({ 'logs/a.txt': text })),
  },
  PDF: { ending: 'pdf', bytes: pdf },
  PNG: { ending: 'png', bytes: png },
  JPEG: { ending: 'jpg', bytes: jpeg },
  GIF: { ending: 'gif', bytes: gif },
  TIFF: { ending: 'tif', bytes: tiff },
  'Shift-JIS': {
    ending: 'txt',
    bytes: (text) =>
      Buffer.concat([
        Buffer.from('93fa967b8cea814289ba', 'hex'),
        Buffer.from(`\n${text}`, 'latin1'),
      ]),
  },
  'bytes of no known form': {
    ending: 'bin',
    bytes: (text) => Buffer.concat([Buffer.from([0, 1, 2, 255, 254, 0x81, 7]), Buffer.from(text)]),
  },
}
