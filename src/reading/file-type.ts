/** The type in which browsers may show a file, decided by its first bytes. */
export type FileKind = 'image' | 'video' | 'audio' | 'svg' | 'text' | 'other'

export interface FileType {
  readonly kind: FileKind
  readonly type: string
  /** Endings of names from which a web host takes this type, the usual one first; none for what browsers may not show. */
  readonly endings: readonly string[]
}

/** The first bytes of a file in hexadecimal digits, and the endings of names of such files. */
const SIGNATURES: readonly [RegExp, FileKind, string, ...string[]][] = [
  [/^89504e470d0a1a0a/, 'image', 'image/png', 'png'],
  [/^ffd8ff/, 'image', 'image/jpeg', 'jpeg', 'jpg'],
  [/^474946383[79]61/, 'image', 'image/gif', 'gif'],
  [/^52494646.{8}57454250/, 'image', 'image/webp', 'webp'],
  [/^.{8}66747970617669[67]/, 'image', 'image/avif', 'avif'],
  [
    /^.{8}66747970(?:69736f6d|69736f32|6d70343[12]|61766331|4d345620|71742020)/,
    'video',
    'video/mp4',
    'mp4',
    'mov',
    'm4v',
  ],
  [/^1a45dfa3/, 'video', 'video/webm', 'webm', 'mkv'],
  [/^(?:494433|fff[b32])/, 'audio', 'audio/mpeg', 'mp3'],
  [/^4f676753/, 'audio', 'audio/ogg', 'ogg', 'oga'],
  [/^52494646.{8}57415645/, 'audio', 'audio/wav', 'wav'],
]

const LARGEST_TEXT = 2 ** 20

/**
 * Judges a file by its first bytes, never by its name or record.
 *
 * @param head the first `HEAD` bytes, or all
 * @param size of the file in bytes
 */
export function fileTypeOf(head: Buffer, size: number): FileType {
  const signs = head.toString('hex', 0, 32)
  for (const [signature, kind, type, ...endings] of SIGNATURES) {
    if (signature.test(signs)) return { kind, type, endings }
  }
  const start = head.toString('utf8', 0, 1024).trimStart()
  if (SVG.test(start)) return { kind: 'svg', type: 'image/svg+xml', endings: [] }
  // HTML and XML are text as well, and a browser may take them for pages.
  const isText = size <= LARGEST_TEXT && !head.some(isBinary) && !/^(?:<|%PDF)/.test(start)
  return isText
    ? { kind: 'text', type: 'text/plain; charset=utf-8', endings: [] }
    : { kind: 'other', type: 'application/octet-stream', endings: [] }
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
