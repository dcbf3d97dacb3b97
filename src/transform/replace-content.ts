import { createHash } from 'node:crypto'
import { CHUNK_SIZE } from '../database/contents/store-chunks.ts'
import type { Database } from '../database/open-database.ts'

/** Gives a file of a database another content, with its size and SHA-256. The new one may be made from the old one while that is read. */
export function replaceContent(
  database: Database,
  file: number,
  content: Uint8Array | Iterable<Uint8Array>,
): void {
  const insertChunk = database.prepare('INSERT OR IGNORE INTO chunks (sha256, bytes) VALUES (?, ?)')
  const link = database.prepare(
    'INSERT INTO file_chunks VALUES (?, ?, (SELECT id FROM chunks WHERE sha256 = ?))',
  )
  const whole = createHash('sha256')
  const sums: Buffer[] = []
  let size = 0
  for (const bytes of chunksOf(content instanceof Uint8Array ? [content] : content)) {
    const sum = createHash('sha256').update(bytes).digest()
    insertChunk.run(sum, bytes)
    sums.push(sum)
    whole.update(bytes)
    size += bytes.length
  }
  database.prepare('DELETE FROM file_chunks WHERE file = ?').run(file)
  for (const [position, sum] of sums.entries()) link.run(file, position, sum)
  database
    .prepare('UPDATE files SET size = ?, sha256 = ?, stored = 1 WHERE id = ?')
    .run(size, whole.digest('hex'), file)
}

/** The same bytes in chunks, all but the last of which are full. Each is there until the next one: memory of others would wait to be collected. */
function* chunksOf(pieces: Iterable<Uint8Array>): Generator<Buffer> {
  const room = Buffer.allocUnsafe(CHUNK_SIZE)
  let filled = 0
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + CHUNK_SIZE - filled)
      room.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < CHUNK_SIZE) continue
      yield room
      filled = 0
    }
  }
  if (filled > 0) yield room.subarray(0, filled)
}

/** Removes the chunks that no file has any more. */
export function removeOrphanedChunks(database: Database): void {
  database.exec('DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks)')
}
