import { readFile } from '../../database/contents/read-file.ts'
import { foldCase, type Library } from './library.ts'
import type { Store } from './store.ts'

/** A file that somebody uploaded. */
export interface StoredUpload {
  readonly store: Store
  /** Its id in `files`. */
  readonly file: number
  readonly path: string
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly stored: boolean
}

type Row = {
  name: string | null
  path: string
  file: number
  size: number
  sha256: string
  stored: number
  repository: string | null
}

const ROOT = 'tarball://root/'

const BY_URL = [
  { table: 'attachments', address: 'asset_url', name: 'asset_name' },
  { table: 'repository_files', address: 'file_url', name: 'file_name' },
].map(
  ({ table, address, name }) =>
    `SELECT o.${name} AS name, o.full_name AS repository, f.path, f.id AS file, f.size, f.sha256, f.stored FROM ${table} AS o
     JOIN files AS f ON f.id = (SELECT max(id) FROM files WHERE path = substr(o.${address}, ${ROOT.length + 1}))
     WHERE o.url = ? AND o.${address} GLOB '${ROOT}?*' AND f.role NOT IN ('git', 'lfs')`,
)

/** Finds the file of an upload by its url. */
export function findUpload(library: Library, url: string): StoredUpload | undefined {
  for (const store of library.stores) {
    for (const sql of BY_URL) {
      const row = store.get<Row>(sql, url)
      if (row && isVisible(library, row.repository)) return toUpload(store, row)
    }
  }
  return undefined
}

/** Finds a file of an archive by its path and content, unless it is Git data. */
export function findFile(library: Library, sha256: string, name: string): StoredUpload | undefined {
  for (const store of library.stores) {
    const rows = store.all<Row>(
      `SELECT NULL AS name, NULL AS repository, path, id AS file, size, sha256, stored FROM files
       WHERE sha256 = ? AND role NOT IN ('git', 'lfs') LIMIT 20`,
      sha256,
    )
    const row = rows.find(({ path }) => path.endsWith(`/${name}`)) ?? rows[0]
    if (row && (library.audience === 'all' || isPublished(library, store, row.path))) {
      return toUpload(store, row)
    }
  }
  return undefined
}

/** Whether a record of a public repository names a file. */
function isPublished(library: Library, store: Store, path: string): boolean {
  const rows = store.all<{ repository: string | null }>(
    `SELECT full_name AS repository FROM attachments WHERE asset_url = ?
     UNION SELECT full_name FROM repository_files WHERE file_url = ?`,
    ...[ROOT + path, ROOT + path],
  )
  return rows.some(({ repository }) => isVisible(library, repository))
}

const isVisible = (library: Library, repository: string | null): boolean =>
  library.audience === 'all' ||
  (repository !== null && library.repository(foldCase(repository)) !== undefined)

const toUpload = (store: Store, { name, path, stored, ...row }: Row): StoredUpload => ({
  ...{ store, path, ...row, stored: stored !== 0 },
  name: name || (path.split('/').at(-1) ?? 'file'),
})

/** The path of the page with its bytes: by content, so it never changes. */
export const uploadPath = ({ sha256, name }: StoredUpload): string =>
  `/-/files/${sha256}/${encodeURIComponent(name)}`

/** What browsers may show of a file, decided by its first bytes. */
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

const HEAD = 65_536
const LARGEST_TEXT = 2 ** 20

/** Judges a file by its first bytes, never by its name or record. */
export function fileType(upload: StoredUpload): FileType {
  const head = headOf(upload)
  const signs = head.toString('hex', 0, 32)
  for (const [signature, kind, type] of SIGNATURES) if (signature.test(signs)) return { kind, type }
  const start = head.toString('utf8', 0, 1024).trimStart()
  if (SVG.test(start)) return { kind: 'svg', type: 'image/svg+xml' }
  // HTML and XML are text as well, and a browser may take them for pages.
  const isText = upload.size <= LARGEST_TEXT && !head.some(isBinary) && !/^(?:<|%PDF)/.test(start)
  return isText
    ? { kind: 'text', type: 'text/plain; charset=utf-8' }
    : { kind: 'other', type: 'application/octet-stream' }
}

const SVG = /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i

/** Control characters that no text has. */
const isBinary = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 27)

function headOf({ store, file, sha256, stored }: StoredUpload): Buffer {
  if (!stored) return Buffer.alloc(0)
  return store.remember(
    `head ${sha256}`,
    () => {
      const { value } = readFile(store.database, file).next()
      return Buffer.from((value ?? Buffer.alloc(0)).subarray(0, HEAD))
    },
    (head) => head.length,
  )
}

/** Width and height of a picture from its head; empty if they are unknown, undefined if it is no picture. */
export function pictureSize(
  upload: StoredUpload,
): { width: number; height: number } | Record<string, never> | undefined {
  if (!upload.stored) return undefined
  const { kind, type } = fileType(upload)
  if (kind === 'svg') return {}
  if (kind !== 'image') return undefined
  const head = headOf(upload)
  if (type === 'image/png' && head.length >= 24) {
    return sane(head.readUInt32BE(16), head.readUInt32BE(20))
  }
  if (type === 'image/gif' && head.length >= 10) {
    return sane(head.readUInt16LE(6), head.readUInt16LE(8))
  }
  return type === 'image/jpeg' ? jpegSize(head) : {}
}

function jpegSize(head: Buffer): { width: number; height: number } | Record<string, never> {
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
