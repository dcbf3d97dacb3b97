import { createHash } from 'node:crypto'
import { readFile } from '../../database/contents/read-file.ts'
import { CHUNK_SIZE } from '../../database/contents/store-chunks.ts'
import type { Database } from '../../database/open-database.ts'
import { readPages } from '../../database/read-pages.ts'
import type { DatabaseFault } from './database-fault.ts'

const PAGE = 500

/**
 * Finds chunks that do not match their SHA-256, files whose chunks do not add up to theirs, and orphaned chunks. Holds
 * one chunk in memory.
 */
export function* examineFiles(
  database: Database,
  progress?: (bytes: number) => void,
): Generator<DatabaseFault> {
  yield* examineChunks(database, progress)
  yield* examineLinks(database)
  // Files with the same content share their chunks.
  const pages = readPages<{ path: string; size: number; sha256: string }>(database, {
    columns: 'path, size, sha256',
    key: 'id',
    size: PAGE,
    from: '(SELECT min(id) AS id, path, size, sha256 FROM files WHERE stored GROUP BY sha256)',
  })
  for (const rows of pages) {
    for (const { position, path, size, sha256 } of rows) {
      const digest = createHash('sha256')
      let found = 0
      for (const chunk of readFile(database, position)) {
        digest.update(chunk)
        found += chunk.length
        progress?.(chunk.length)
      }
      if (found !== size) {
        const message = `${found} of ${size} bytes found`
        yield { code: 'file-incomplete', where: path, message }
      } else if (digest.digest('hex') !== sha256) {
        yield { code: 'file-incomplete', where: path, message: 'SHA-256 mismatch' }
      }
    }
  }
}

const CHUNKS = `SELECT group_concat(position || ' ' || chunk) FROM (
  SELECT position, chunk FROM file_chunks WHERE file = `

/** Finds files whose chunks are not those of the first file with their content, and marks as stored that are wrong. */
function* examineLinks(database: Database): Generator<DatabaseFault> {
  const broken = database.prepare<[], { path: string; message: string }>(`
    SELECT path, 'its content has other chunks elsewhere' AS message
    FROM files AS f JOIN (
      SELECT sha256, min(id) AS first FROM files WHERE stored GROUP BY sha256 HAVING count(*) > 1
    ) USING (sha256)
    WHERE stored AND id <> first
      AND (${CHUNKS} f.id ORDER BY position)) IS NOT (${CHUNKS} first ORDER BY position))
    UNION ALL
    SELECT path, 'its content is there but not marked as stored' FROM files
    WHERE NOT stored AND id IN (SELECT file FROM file_chunks)
    UNION ALL
    SELECT path, 'it is marked as stored by something else than 0 and 1' FROM files
    WHERE stored IS NOT 0 AND stored IS NOT 1`)
  for (const { path, message } of broken.iterate()) {
    yield { code: 'file-incomplete', where: path, message }
  }
}

function* examineChunks(
  database: Database,
  progress?: (bytes: number) => void,
): Generator<DatabaseFault> {
  const pages = readPages<{ sha256: Buffer | null; bytes: Buffer | null }>(database, {
    columns: `sha256, iif(octet_length(bytes) <= ${CHUNK_SIZE}, bytes, NULL) AS bytes`,
    from: 'chunks',
    key: 'id',
    size: 1,
  })
  const fileOf = database
    .prepare<[bigint], string>(
      'SELECT path FROM file_chunks JOIN files ON files.id = file WHERE chunk = ? LIMIT 1',
    )
    .pluck()
  for (const chunks of pages) {
    for (const { position: id, sha256, bytes } of chunks) {
      progress?.(bytes?.length ?? 0)
      const isWhole = bytes && sha256 && createHash('sha256').update(bytes).digest().equals(sha256)
      if (isWhole) continue
      yield { code: 'chunk-damaged', where: fileOf.get(id) ?? 'chunks', message: `chunk ${id}` }
    }
  }
  const orphans = database
    .prepare<[], number>(
      'SELECT count(*) FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks)',
    )
    .pluck()
    .get()
  if (orphans) yield { code: 'chunk-orphaned', where: 'chunks', message: `${orphans} chunks` }
}
