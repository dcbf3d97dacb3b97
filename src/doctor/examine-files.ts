import { createHash } from 'node:crypto'
import { readFile } from '../database/contents/read-file.ts'
import type { Database } from '../database/open-database.ts'
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
  // Files with the same content share their chunks.
  const page = database.prepare<
    [number],
    { id: number; path: string; size: number; sha256: string }
  >(
    `SELECT min(id) AS id, path, size, sha256 FROM files WHERE stored GROUP BY sha256
     HAVING min(id) > ? ORDER BY 1 LIMIT ${PAGE}`,
  )
  for (let last = -1, full = true; full; ) {
    const rows = page.all(last)
    for (const { id, path, size, sha256 } of rows) {
      const digest = createHash('sha256')
      let found = 0
      for (const chunk of readFile(database, id)) {
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
      last = id
    }
    full = rows.length === PAGE
  }
}

function* examineChunks(
  database: Database,
  progress?: (bytes: number) => void,
): Generator<DatabaseFault> {
  const next = database.prepare<
    [number],
    { id: number; sha256: Buffer | null; bytes: Buffer | null }
  >(
    // Beyond 2⁵³ a number would be another row, and this would not end.
    'SELECT id, sha256, bytes FROM chunks WHERE id > ? AND id < 9007199254740992 ORDER BY id LIMIT 1',
  )
  const fileOf = database
    .prepare<[number], string>(
      'SELECT path FROM file_chunks JOIN files ON files.id = file WHERE chunk = ? LIMIT 1',
    )
    .pluck()
  for (let chunk = next.get(-1); chunk; chunk = next.get(chunk.id)) {
    const { id, sha256, bytes } = chunk
    progress?.(bytes?.length ?? 0)
    const isWhole = bytes && sha256 && createHash('sha256').update(bytes).digest().equals(sha256)
    if (isWhole) continue
    yield { code: 'chunk-damaged', where: fileOf.get(id) ?? 'chunks', message: `chunk ${id}` }
  }
  const orphans = database
    .prepare<[], number>(
      'SELECT count(*) FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks)',
    )
    .pluck()
    .get()
  if (orphans) yield { code: 'chunk-orphaned', where: 'chunks', message: `${orphans} chunks` }
}
