import type { Report } from '../../base/errors.ts'
import type { Bytes } from '../../base/streams.ts'
import type { Database } from '../open-database.ts'
import { insertedId } from '../read-pages.ts'
import { createChunkStore } from './store-chunks.ts'

/** A file to store. */
export interface IncomingFile {
  path: string
  role: string
  /** owner/name of its Git repository. */
  repository?: string
  mode: number
  modifiedAt: Date
  content: Bytes
}

export interface FileStore {
  /** Stores a file, its content in deduplicated chunks. Returns its size and SHA-256 in hex. */
  add(file: IncomingFile): Promise<{ size: number; sha256: string }>
  /** Removes files of earlier archives with the same path or of the same repository. */
  finish(): void
}

/** A store for the files of an archive. Without `contents`, a file only gets content that is already stored. */
export function openFileStore(
  database: Database,
  {
    archive,
    isFirst,
    contents,
    report,
  }: { archive: number; isFirst: boolean; contents: (path: string) => boolean; report: Report },
): FileStore {
  const store = createChunkStore(database)
  const insertFile = database.prepare(
    `INSERT INTO files (archive, path, role, repository, size, sha256, mode, modified_at, stored)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const chunksOf = database
    .prepare<[string], bigint>(
      `SELECT chunk FROM file_chunks WHERE file =
       (SELECT id FROM files WHERE sha256 = ? AND stored LIMIT 1) ORDER BY position`,
    )
    .pluck()
    .safeIntegers()

  return {
    async add({ path, role, repository, mode, modifiedAt, content }) {
      const isKept = contents(path)
      const { size, sha256, chunks } = await store.store(content, isKept)
      if (!isKept && !isFirst) chunks.push(...chunksOf.all(sha256))
      const stored = isKept || chunks.length > 0
      const time = modifiedAt.toISOString()
      const inserted = insertFile.run(
        archive,
        path,
        role,
        repository ?? null,
        size,
        sha256,
        mode,
        time,
        Number(stored),
      )
      store.link(insertedId(inserted), chunks)
      return { size, sha256 }
    },
    finish() {
      reportRepeated(database, archive, report)
      if (!isFirst) removeEarlierFiles(database, archive)
    },
  }
}

function reportRepeated(database: Database, archive: number, report: Report): void {
  const repeated = database.prepare<[], { path: string; times: number }>(`
    SELECT path, count(*) AS times FROM (
      SELECT path FROM files WHERE archive = ${archive}
      UNION ALL SELECT path FROM record_files WHERE archive = ${archive})
    GROUP BY path HAVING times > 1 LIMIT 1000`)
  for (const { path, times } of repeated.all()) {
    const message = `${times} entries have this path; all of them were read`
    report({ code: 'entry-repeated', place: { entry: path }, message })
  }
  // With a slash at the end, the paths in a folder follow that of the folder.
  const folders = database
    .prepare<[], string>(`
      SELECT path FROM (
        SELECT path, lead(path) OVER (ORDER BY path || '/') AS next FROM (
          SELECT path FROM files WHERE archive = ${archive}
          UNION ALL SELECT path FROM record_files WHERE archive = ${archive}))
      WHERE substr(next, 1, length(path) + 1) = path || '/' LIMIT 1000`)
    .pluck()
  for (const path of folders.all()) {
    const message = 'a file has the path of a folder; both were read'
    report({ code: 'entry-repeated', place: { entry: path }, message })
  }
}

// The Git data of a repository is replaced as a whole: packs of two archives do not mix.
function removeEarlierFiles(database: Database, archive: number): void {
  removeFiles(
    database,
    `archive <> ${archive} AND (
      path IN (SELECT path FROM files WHERE archive = ${archive} AND repository IS NULL)
      OR repository IN (SELECT repository FROM files WHERE archive = ${archive}))`,
  )
}

/** Removes the files that meet an SQL condition, their entries, and chunks that no other file has. Returns their number. */
export function removeFiles(database: Database, where: string, ...values: unknown[]): number {
  database
    .prepare(`CREATE TEMP TABLE dropped AS SELECT id, archive, path FROM files WHERE ${where}`)
    .run(...values)
  const { changes } = database
    .prepare('DELETE FROM files WHERE id IN (SELECT id FROM dropped)')
    .run()
  if (changes > 0) {
    database.exec(`
      DELETE FROM entries WHERE (archive, path) IN (SELECT archive, path FROM dropped);
      DELETE FROM file_chunks WHERE file IN (SELECT id FROM dropped);
      DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks)`)
  }
  database.exec('DROP TABLE temp.dropped')
  return changes
}
