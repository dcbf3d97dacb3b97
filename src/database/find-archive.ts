import type { Database } from './open-database.ts'

/** Whether the archive with this SHA-256 is loaded. */
export const hasArchive = (database: Database, sha256: string): boolean =>
  database.prepare('SELECT 1 FROM archives WHERE sha256 = ?').get(sha256) !== undefined

/** The state of the archive with this SHA-256: complete, salvaged or replaced; undefined if it is not loaded. */
export const stateOfArchive = (database: Database, sha256: string): string | undefined =>
  database
    .prepare<[string], string>('SELECT state FROM archives WHERE sha256 = ?')
    .pluck()
    .get(sha256)

/** Whether an archive of this size is loaded, so that comparing hashes before the load pays off. */
export const hasArchiveOfSize = (database: Database, size: number): boolean =>
  database.prepare('SELECT 1 FROM archives WHERE size = ?').get(size) !== undefined

/** Whether any archive is loaded. */
export const hasArchives = (database: Database): boolean =>
  database.prepare('SELECT 1 FROM archives').get() !== undefined
