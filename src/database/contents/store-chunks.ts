import { createHash } from 'node:crypto'
import { type Bytes, inPieces } from '../../base/streams.ts'
import type { Database } from '../open-database.ts'
import { insertedId } from '../read-pages.ts'

/** Bytes of each chunk of a file except its last: small enough to hold several in memory, large enough to be few. */
export const CHUNK_SIZE = 2 ** 20

export interface StoredContent {
  size: number
  /** In hex. */
  sha256: string
  chunks: (number | bigint)[]
}

export interface ChunkStore {
  /** Stores content in deduplicated chunks; without `isKept`, only hashes it. */
  store(content: Bytes, isKept: boolean): Promise<StoredContent>
  /** Sets the chunks of a file. */
  link(file: number, chunks: readonly (number | bigint)[]): void
}

export function createChunkStore(database: Database): ChunkStore {
  const findChunk = database
    .prepare<[Buffer], bigint>('SELECT id FROM chunks WHERE sha256 = ?')
    .pluck()
    .safeIntegers()
  const insertChunk = database.prepare('INSERT INTO chunks (sha256, bytes) VALUES (?, ?)')
  const insertLink = database.prepare(
    'INSERT INTO file_chunks (file, position, chunk) VALUES (?, ?, ?)',
  )
  const lastChunk = database
    .prepare<[], bigint | null>('SELECT max(id) FROM chunks')
    .pluck()
    .safeIntegers()
  const removeChunks = database.prepare('DELETE FROM chunks WHERE id > ?')

  const room = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  const storeChunk = (sha256: Buffer, bytes: Buffer): number | bigint =>
    findChunk.get(sha256) ?? insertedId(insertChunk.run(sha256, bytes))

  return {
    async store(content, isKept) {
      const whole = createHash('sha256')
      const chunks: (number | bigint)[] = []
      let size = 0
      const fresh = lastChunk.get() ?? 0
      try {
        for await (const bytes of inPieces(content, room)) {
          size += bytes.length
          whole.update(bytes)
          if (isKept) chunks.push(storeChunk(createHash('sha256').update(bytes).digest(), bytes))
        }
      } catch (error) {
        // Leave no orphaned chunks to a load that continues. If the disk is full, SQLite has already rolled back.
        if (database.inTransaction) removeChunks.run(fresh)
        throw error
      }
      return { size, sha256: whole.digest('hex'), chunks }
    },
    link(file, chunks) {
      chunks.forEach((chunk, position) => {
        insertLink.run(file, position, chunk)
      })
    },
  }
}
