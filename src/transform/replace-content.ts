import { createHash } from 'node:crypto'
import { CHUNK_SIZE } from '../database/contents/store-chunks.ts'
import type { Database } from '../database/open-database.ts'
import { prepareOnce } from '../database/prepare-once.ts'

/** Gives a file of a database another content, with its size and SHA-256. The new one may be made from the old one while that is read. */
export function replaceContent(
  database: Database,
  file: number,
  content: Uint8Array | Iterable<Uint8Array>,
): void {
  const insertChunk = prepareOnce(
    database,
    'INSERT OR IGNORE INTO chunks (sha256, bytes) VALUES (?, ?)',
  )
  const link = prepareOnce(
    database,
    'INSERT INTO file_chunks VALUES (?, ?, (SELECT id FROM chunks WHERE sha256 = ?))',
  )
  const whole = createHash('sha256')
  const sums: Buffer[] = []
  let size = 0
  for (const bytes of chunksOf(content)) {
    const sum = createHash('sha256').update(bytes).digest()
    insertChunk.run(sum, bytes)
    sums.push(sum)
    whole.update(bytes)
    size += bytes.length
  }
  prepareOnce(database, 'DELETE FROM file_chunks WHERE file = ?').run(file)
  for (const [position, sum] of sums.entries()) link.run(file, position, sum)
  prepareOnce(database, 'UPDATE files SET size = ?, sha256 = ?, stored = 1 WHERE id = ?').run(
    size,
    whole.digest('hex'),
    file,
  )
}

/** The same bytes in chunks, all but the last of which are full. Each is there until the next one: memory of others would wait to be collected. */
function* chunksOf(content: Uint8Array | Iterable<Uint8Array>): Generator<Uint8Array> {
  const isWhole = content instanceof Uint8Array
  if (isWhole && content.length > 0 && content.length <= CHUNK_SIZE) return yield content
  const pieces = isWhole ? [content] : content
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
