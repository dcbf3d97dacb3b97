/** The type in which browsers may show a file, decided by its first bytes. */
export type FileKind = 'image' | 'video' | 'audio' | 'svg' | 'text' | 'other'

export interface FileType {
  readonly kind: FileKind
  readonly type: string
}

/** The first bytes of a file in hexadecimal digits. */
const SIGNATURES: readonly [RegExp, FileKind, string][] = [
  [/^89504e470d0a1a0a/, 'image', 'image/png'],
  [/^ffd8ff/, 'image', 'image/jpeg'],
  [/^474946383[79]61/, 'image', 'image/gif'],
  [/^52494646.{8}57454250/, 'image', 'image/webp'],
  [/^.{8}66747970617669[67]/, 'image', 'image/avif'],
  [
    /^.{8}66747970(?:69736f6d|69736f32|6d70343[12]|61766331|4d345620|71742020)/,
    'video',
    'video/mp4',
  ],
  [/^1a45dfa3/, 'video', 'video/webm'],
  [/^(?:494433|fff[b32])/, 'audio', 'audio/mpeg'],
  [/^4f676753/, 'audio', 'audio/ogg'],
  [/^52494646.{8}57415645/, 'audio', 'audio/wav'],
]

/** The bytes of a file that its type is decided by. */
export const HEAD = 65_536
const LARGEST_TEXT = 2 ** 20

/**
 * Judges a file by its first bytes, never by its name or record.
 *
 * @param head the first `HEAD` bytes, or all
 * @param size of the file in bytes
 */
export function fileTypeOf(head: Buffer, size: number): FileType {
  const signs = head.toString('hex', 0, 32)
  for (const [signature, kind, type] of SIGNATURES) if (signature.test(signs)) return { kind, type }
  const start = head.toString('utf8', 0, 1024).trimStart()
  if (SVG.test(start)) return { kind: 'svg', type: 'image/svg+xml' }
  // HTML and XML are text as well, and a browser may take them for pages.
  const isText = size <= LARGEST_TEXT && !head.some(isBinary) && !/^(?:<|%PDF)/.test(start)
  return isText
    ? { kind: 'text', type: 'text/plain; charset=utf-8' }
    : { kind: 'other', type: 'application/octet-stream' }
}

const SVG = /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i

/** Control characters that no text has. */
const isBinary = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 27)

/** Width and height of a picture; empty if they are unknown. */
export type PictureSize = { width: number; height: number } | Record<string, never>

/** The size of a picture from its first bytes; undefined if it is not a picture. */
export function pictureSizeOf({ kind, type }: FileType, head: Buffer): PictureSize | undefined {
  if (kind === 'svg') return {}
  if (kind !== 'image') return undefined
  if (type === 'image/png' && head.length >= 24) {
    return sane(head.readUInt32BE(16), head.readUInt32BE(20))
  }
  if (type === 'image/gif' && head.length >= 10) {
    return sane(head.readUInt16LE(6), head.readUInt16LE(8))
  }
  return type === 'image/jpeg' ? jpegSize(head) : {}
}

function jpegSize(head: Buffer): PictureSize {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; ) {
    const marker = head[at + 1] as number
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sane(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5))
    at += 2 + head.readUInt16BE(at + 2)
  }
  return {}
}

const sane = (width: number, height: number) =>
  width > 0 && height > 0 && width < 100_000 && height < 100_000 ? { width, height } : {}

const SANDBOX = "sandbox; default-src 'none'"

/** Headers of bytes that no browser may open as a page of ours: it saves them under this name. */
export const savingHeaders = (name: string): Record<string, string> => ({
  'Content-Security-Policy': SANDBOX,
  'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
})

/** Whether a browser may show the bytes themselves at an address of ours. */
export const isShownAsIs = ({ kind }: FileType): boolean => kind !== 'other' && kind !== 'svg'
