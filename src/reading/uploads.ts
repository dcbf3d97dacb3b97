import { readFile } from '../database/contents/read-file.ts'
import { type FileType, fileTypeOf, type PictureSize, pictureSizeOf } from './file-type.ts'
import { HEAD } from './git/files.ts'
import type { Library } from './library.ts'
import { foldCase } from './names.ts'
import { Memo, type Store } from './store.ts'

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
     WHERE o.url = ? AND o.${address} GLOB '${ROOT}?*' AND f.role NOT IN ('git', 'lfs', 'audit-log')`,
)

const FOUND = new Memo<readonly Row[]>()

/** Finds the file of an upload by its url. */
export function findUpload(library: Library, url: string): StoredUpload | undefined {
  for (const store of library.stores) {
    const rows = store.remember(FOUND, url, () =>
      BY_URL.flatMap((sql) => store.get<Row>(sql, url) ?? []),
    )
    const row = rows.find(({ repository }) => isVisible(library, repository))
    if (row) return toUpload(store, row)
  }
  return undefined
}

/** Finds the file that a record names as `tarball://root/…`, unless it is Git data. */
export function findStored(store: Store, address: string): StoredUpload | undefined {
  if (!address.startsWith(ROOT)) return undefined
  const row = store.get<Row>(
    `SELECT NULL AS name, NULL AS repository, path, id AS file, size, sha256, stored FROM files
     WHERE path = ? AND role NOT IN ('git', 'lfs', 'audit-log') ORDER BY id DESC LIMIT 1`,
    address.slice(ROOT.length),
  )
  return row && toUpload(store, row)
}

/** Finds a file of an archive by its path and content, unless it is Git data. */
export function findFile(library: Library, sha256: string, name: string): StoredUpload | undefined {
  for (const store of library.stores) {
    const rows = store.all<Row>(
      `SELECT NULL AS name, NULL AS repository, path, id AS file, size, sha256, stored FROM files
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
    `SELECT NULL AS name, NULL AS repository, path, id AS file, size, sha256, stored FROM files
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

const toUpload = (store: Store, { name, path, stored, ...row }: Row): StoredUpload => ({
  store,
  path,
  ...row,
  stored: stored !== 0,
  name: name || (path.split('/').at(-1) ?? 'file'),
})

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
