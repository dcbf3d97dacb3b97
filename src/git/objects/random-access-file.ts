import { ArchiveError } from '../../base/errors.ts'
import { createLruCache } from '../../base/lru-cache.ts'
import { CHUNK_SIZE } from '../../database/contents/store-chunks.ts'
import type { Database } from '../../database/open-database.ts'

/** A stored file with random access. */
export interface RandomAccessFile {
  readonly path: string
  readonly size: number
  /** Reads up to `length` bytes. The buffer may be shared: do not change it. */
  read(at: number, length: number): Buffer
}

export interface FileRow {
  id: number
  path: string
  size: number
  stored: number
}

/** Opens files that share a cache of `room` chunks. */
export function createFileReader(
  database: Database,
  room = 32,
): (file: FileRow) => RandomAccessFile {
  const select = database
    .prepare<[number, number], Buffer>(
      `SELECT CAST(bytes AS BLOB) FROM file_chunks JOIN chunks ON chunks.id = chunk
       WHERE file = ? AND position = ? AND octet_length(bytes) <= ${CHUNK_SIZE}`,
    )
    .pluck()
  const cache = createLruCache<string, Buffer>(room)
  const piece = (file: FileRow, position: number): Buffer => {
    const key = `${file.id} ${position}`
    const cached = cache.get(key)
    if (cached) return cached
    const bytes = select.get(file.id, position)
    if (bytes === undefined) throw notStored(file.path)
    cache.set(key, bytes)
    return bytes
  }
  return (file) => {
    let last: { position: number; bytes: Buffer } | undefined
    const pieceAt = (position: number): Buffer => {
      if (last?.position !== position) last = { position, bytes: piece(file, position) }
      return last.bytes
    }
    return {
      path: file.path,
      size: file.size,
      read(at, length) {
        const end = Math.min(at + length, file.size)
        if (at < 0 || at >= end) return Buffer.alloc(0)
        const first = Math.floor(at / CHUNK_SIZE)
        const final = Math.floor((end - 1) / CHUNK_SIZE)
        const from = first * CHUNK_SIZE
        if (first === final) return pieceAt(first).subarray(at - from, end - from)
        const parts = Array.from({ length: final - first + 1 }, (_, i) => {
          const start = from + i * CHUNK_SIZE
          return pieceAt(first + i).subarray(Math.max(0, at - start), end - start)
        })
        return Buffer.concat(parts)
      },
    }
  }
}

const notStored = (entry: string) =>
  new ArchiveError('content-missing', 'the content of this file was not stored', { entry })
