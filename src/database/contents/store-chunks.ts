import { createHash } from 'node:crypto'
import { type Bytes, inPieces } from '../../streams.ts'
import type { Database } from '../open-database.ts'

/** Bytes of each piece of a file but its last: small enough to hold several, large enough to be few. */
export const PIECE = 2 ** 20

export interface StoredContent {
  size: number
  /** In hex. */
  sha256: string
  pieces: (number | bigint)[]
}

export interface PieceStore {
  /** Stores content in pieces that are stored once each; or, if it is not to be kept, only looks at it. */
  store(content: Bytes, isKept: boolean): Promise<StoredContent>
  /** Makes these the content of a file. */
  link(file: number | bigint, pieces: readonly (number | bigint)[]): void
}

export function openPieceStore(database: Database): PieceStore {
  const findPiece = database.prepare('SELECT id FROM chunks WHERE sha256 = ?').pluck()
  const insertPiece = database.prepare('INSERT INTO chunks (sha256, bytes) VALUES (?, ?)')
  const insertLink = database.prepare(
    'INSERT INTO file_chunks (file, position, chunk) VALUES (?, ?, ?)',
  )
  const lastPiece = database.prepare<[], number | null>('SELECT max(id) FROM chunks').pluck()
  const removePieces = database.prepare('DELETE FROM chunks WHERE id > ?')

  const room = Buffer.allocUnsafeSlow(PIECE)
  const storePiece = (sha256: Buffer, bytes: Buffer): number | bigint =>
    (findPiece.get(sha256) as number | undefined) ?? insertPiece.run(sha256, bytes).lastInsertRowid

  return {
    async store(content, isKept) {
      const whole = createHash('sha256')
      const pieces: (number | bigint)[] = []
      let size = 0
      const fresh = lastPiece.get() ?? 0
      try {
        for await (const bytes of inPieces(content, room)) {
          size += bytes.length
          whole.update(bytes)
          if (isKept) pieces.push(storePiece(createHash('sha256').update(bytes).digest(), bytes))
        }
      } catch (error) {
        // Leave no pieces of nothing to a load that goes on; SQLite has taken all back itself where the disk is full.
        if (database.inTransaction) removePieces.run(fresh)
        throw error
      }
      return { size, sha256: whole.digest('hex'), pieces }
    },
    link(file, pieces) {
      pieces.forEach((piece, position) => {
        insertLink.run(file, position, piece)
      })
    },
  }
}
