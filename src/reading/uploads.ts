import { readFile } from '../database/contents/read-file.ts'
import { type FileType, fileTypeOf, type PictureSize, pictureSizeOf } from './file-type.ts'
import { HEAD } from './git/files.ts'
import type { Library } from './library.ts'
import { foldCase } from './names.ts'
import { Memo, type Store } from './store.ts'
import { asText, asTextOrNull } from './values.ts'

/** An uploaded file. */
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
  path: string
  file: number
  size: number
  sha256: string
  stored: number
}

const ROOT = 'tarball://root/'

/** The record of an upload, and its file. */
export interface UploadRecord {
  /** `owner/name` of its repository. */
  readonly repository: string | null
  readonly name: string
  /** Its media type; "" if the record has none. */
  readonly contentType: string
  /** Undefined if the archive does not have the file. */
  readonly content: StoredUpload | undefined
}

const RECORDS = [
  'SELECT full_name, asset_name, asset_content_type, asset_url FROM attachments WHERE url = ?',
  'SELECT full_name, file_name, file_content_type, file_url FROM repository_files WHERE url = ?',
]

/** The records of uploads with a url: attachments, and files of repositories. */
export const uploadsAt = (store: Store, url: string): readonly UploadRecord[] =>
  store.remember(FOUND, url, () =>
    RECORDS.flatMap((sql): UploadRecord[] => {
      const row = store.row(sql, url)
      if (!row) return []
      const [repository, name, contentType, address] = row
      const file = findStored(store, asText(address))
      const own = asText(name)
      return [
        {
          repository: asTextOrNull(repository),
          name: own || 'file',
          contentType: asText(contentType),
          content: file && { ...file, name: own || file.name },
        },
      ]
    }),
  )

const FOUND = new Memo<readonly UploadRecord[]>()

/** Finds the file of an upload by its url. */
export function findUpload(library: Library, url: string): StoredUpload | undefined {
  for (const store of library.stores) {
    const found = uploadsAt(store, url).find(
      ({ content, repository }) => content !== undefined && isVisible(library, repository),
    )
    if (found) return found.content
  }
  return undefined
}

/** Finds the file that a record names as `tarball://root/…`, unless it is Git data. */
export function findStored(store: Store, address: string): StoredUpload | undefined {
  if (!address.startsWith(ROOT)) return undefined
  const row = store.get<Row>(
    `SELECT path, id AS file, size, sha256, stored FROM files
     WHERE path = ? AND role NOT IN ('git', 'lfs', 'audit-log') ORDER BY id DESC LIMIT 1`,
    address.slice(ROOT.length),
  )
  return row && toUpload(store, row)
}

/** Finds a file of an archive by its path and content, unless it is Git data. */
export function findFile(library: Library, sha256: string, name: string): StoredUpload | undefined {
  for (const store of library.stores) {
    const rows = store.all<Row>(
      `SELECT path, id AS file, size, sha256, stored FROM files
       WHERE sha256 = ? AND role NOT IN ('git', 'lfs', 'audit-log') LIMIT 20`,
      sha256,
    )
    const row = rows.find(({ path }) => path.endsWith(`/${name}`)) ?? rows[0]
    if (row && (library.audience === 'all' || isPublished(library, store, row.path))) {
      return toUpload(store, row)
    }
  }
  return undefined
}

/** Finds a file that a repository stores with Git LFS. */
export function findLfsFile(store: Store, sha256: string): StoredUpload | undefined {
  const row = store.get<Row>(
    `SELECT path, id AS file, size, sha256, stored FROM files
     WHERE sha256 = ? AND role = 'lfs' AND stored LIMIT 1`,
    sha256,
  )
  return row && toUpload(store, row)
}

/** Whether a record of a public repository names a file. */
function isPublished(library: Library, store: Store, path: string): boolean {
  const rows = store.all<{ repository: string | null }>(
    `SELECT full_name AS repository FROM attachments WHERE asset_url = ?
     UNION SELECT full_name FROM repository_files WHERE file_url = ?
     UNION SELECT o.full_name FROM releases AS o, json_each(CASE WHEN json_valid(o.release_assets) THEN o.release_assets END) AS e
     WHERE o.state = 'published' AND e.type = 'object' AND e.value ->> 'asset_url' = ?`,
    ROOT + path,
    ROOT + path,
    ROOT + path,
  )
  return rows.some(({ repository }) => isVisible(library, repository))
}

const isVisible = (library: Library, repository: string | null): boolean =>
  library.audience === 'all' ||
  (repository !== null && library.repository(foldCase(repository)) !== undefined)

const toUpload = (store: Store, { path, stored, ...row }: Row): StoredUpload => ({
  store,
  path,
  ...row,
  stored: stored !== 0,
  name: path.split('/').at(-1) ?? 'file',
})

/** An upload, or a file that no record names. */
export interface ListedUpload {
  readonly url: string | null
  readonly name: string | null
  readonly mediaType: string | null
  readonly size: number | null
  readonly present: number
  /** The record that it belongs to, by url. */
  readonly parent: string | null
  readonly fullName: string | null
}

const LIST = `SELECT url, name, media_type AS mediaType, size, present, parent, full_name AS fullName
  FROM uploads ORDER BY present DESC, size DESC, url LIMIT ? OFFSET ?`

/** The uploads of a database, the largest first; those that are missing at the end. */
export const listUploads = (store: Store, offset: number, limit: number): ListedUpload[] =>
  store.all<ListedUpload>(LIST, limit, offset)

export const countUploads = (store: Store): number =>
  store.remember(COUNT, '', () => store.count('SELECT count(*) FROM uploads'))

const COUNT = new Memo<number>()

const SIZES = `SELECT full_name AS name, coalesce(sum(size), 0) AS bytes, count(*) AS files FROM uploads
  WHERE present GROUP BY 1`

/** The files of uploads that pages may show, and their bytes. */
export function sizeOfUploads(library: Library): { files: number; bytes: number } {
  let [files, bytes] = [0, 0]
  for (const store of library.stores) {
    const rows = store.each<{ name: string | null; bytes: number; files: number }>(SIZES)
    for (const row of rows) {
      if (!isVisible(library, row.name)) continue
      files += row.files
      bytes += row.bytes
    }
  }
  return { files, bytes }
}

/** Judges an upload by its first bytes. */
export const fileType = (upload: StoredUpload): FileType => fileTypeOf(headOf(upload), upload.size)

const HEADS = new Memo<Buffer>((head) => head.length)

function headOf({ store, file, sha256, stored }: StoredUpload): Buffer {
  if (!stored) return Buffer.alloc(0)
  return store.remember(HEADS, sha256, () => {
    const { value } = readFile(store.database, file).next()
    return Buffer.from((value ?? Buffer.alloc(0)).subarray(0, HEAD))
  })
}

/** Width and height of a picture from its head; empty if they are unknown, undefined if it is not a picture. */
export const pictureSize = (upload: StoredUpload): PictureSize | undefined =>
  upload.stored ? pictureSizeOf(fileType(upload), headOf(upload)) : undefined
