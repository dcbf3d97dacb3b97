/** The archives that were loaded into a database, and what was found in them. */

import type { Library } from '../library.ts'
import { type Page, pageOfStores, type Range } from '../page-of-stores.ts'
import type { Store } from '../store.ts'

/** An archive. */
export interface LoadedArchive {
  readonly id: number
  readonly name: string
  /** Bytes; null for a folder. */
  readonly size: number | null
  readonly sha256: string
  /** complete or salvaged. */
  readonly state: string
  readonly schemaVersion: string | null
  readonly githubSha: string | null
  readonly exportedAt: string | null
}

const ARCHIVES = `SELECT id, name, size, sha256, state, schema_version AS schemaVersion, github_sha AS githubSha,
    exported_at AS exportedAt FROM archives`

/** The archives of a database, in the order in which they were loaded. */
export const archivesOf = (store: Store): LoadedArchive[] =>
  store.all<LoadedArchive>(`${ARCHIVES} ORDER BY id`)

/** An archive by its id. */
export const readArchive = (store: Store, id: number): LoadedArchive | undefined =>
  store.get<LoadedArchive>(`${ARCHIVES} WHERE id = ?`, id)

/** The files of an archive that hold no records: how many, and their bytes. */
export const otherFilesOf = (store: Store, archive: number): { files: number; bytes: number } =>
  store.get<{ files: number; bytes: number }>(
    'SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM files WHERE archive = ?',
    archive,
  ) ?? { files: 0, bytes: 0 }

/** A kind of records in an archive. */
export interface ArchivedKind {
  readonly kind: string
  readonly records: number
  readonly files: number
}

/** The kinds of records in an archive, by name. */
export const kindsOf = (store: Store, archive: number): ArchivedKind[] =>
  store.all<ArchivedKind>(
    'SELECT kind, sum(records) AS records, count(*) AS files FROM record_files WHERE archive = ? GROUP BY kind ORDER BY kind',
    archive,
  )

/** An entry of an archive. */
export interface ArchivedEntry {
  readonly path: string
  /** What it holds. */
  readonly role: string
  readonly size: number
  readonly sha256: string | null
}

export const countEntries = (store: Store, archive: number): number =>
  store.count('SELECT count(*) FROM entries WHERE archive = ?', archive)

/** The entries of an archive, in its order. */
export const listEntries = (
  store: Store,
  archive: number,
  { offset, limit }: Range,
): ArchivedEntry[] =>
  store.all<ArchivedEntry>(
    'SELECT path, role, size, lower(hex(sha256)) AS sha256 FROM entries WHERE archive = ? ORDER BY id LIMIT ? OFFSET ?',
    archive,
    limit,
    offset,
  )

/** A problem that was found when an archive was loaded. */
export interface FoundProblem {
  readonly code: string
  readonly entry: string | null
  readonly record: number | null
  readonly message: string
  readonly times: number
}

const PROBLEMS =
  'SELECT code, entry, record, message, times FROM problems ORDER BY archive, code, rowid LIMIT ? OFFSET ?'

/** The problems of all databases, one database after another, and how many there are. */
export const listProblems = ({ stores }: Library, range: Range): Page<FoundProblem> =>
  pageOfStores(stores, { count: 'SELECT count(*) FROM problems', select: PROBLEMS }, range)

/** About how many bytes an archive of a database will have. */
export function archiveSizeOf(store: Store): number {
  const size = (sql: string) => store.count(`SELECT coalesce(sum(size), 0) FROM ${sql}`)
  // Folders have no size, but their entries do.
  return store.count('SELECT count(*) FROM archives WHERE size IS NULL') === 0
    ? size('archives')
    : Math.round(size('record_files') / COMPRESSION) + size('files WHERE stored')
}

/** Bytes of records for one byte of an archive. Attachments and Git data are compressed already. */
const COMPRESSION = 8
