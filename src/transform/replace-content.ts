import { createHash } from 'node:crypto'
import { CHUNK_SIZE } from '../database/contents/store-chunks.ts'
import type { Database } from '../database/open-database.ts'

/** Gives a file of a database another content, with its size and SHA-256. */
export function replaceContent(database: Database, file: number, content: Uint8Array): void {
  const insertChunk = database.prepare('INSERT OR IGNORE INTO chunks (sha256, bytes) VALUES (?, ?)')
  const link = database.prepare(
    'INSERT INTO file_chunks VALUES (?, ?, (SELECT id FROM chunks WHERE sha256 = ?))',
  )
  database.prepare('DELETE FROM file_chunks WHERE file = ?').run(file)
  for (let at = 0, position = 0; at < content.length; at += CHUNK_SIZE, position++) {
    const bytes = Buffer.from(content.subarray(at, at + CHUNK_SIZE))
    const sum = createHash('sha256').update(bytes).digest()
    insertChunk.run(sum, bytes)
    link.run(file, position, sum)
  }
  database
    .prepare('UPDATE files SET size = ?, sha256 = ?, stored = 1 WHERE id = ?')
    .run(content.length, createHash('sha256').update(content).digest('hex'), file)
}

/** Removes the chunks that no file has any more. */
export function removeOrphanedChunks(database: Database): void {
  database.exec('DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks)')
}
