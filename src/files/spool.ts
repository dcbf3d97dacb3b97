import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Bytes, inPieces } from '../base/streams.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
import { attemptSync } from './write-file.ts'

/** Holds content of any size until the caller knows whether it is needed. */
export interface Spool {
  /** Replaces the content. If reading fails, holds the bytes up to there. */
  keep(content: Bytes): Promise<void>
  read(): Generator<Uint8Array>
  close(): void
}

/** Bytes held in memory, and written or read at a time. */
const CHUNK_SIZE = 2 ** 20

/** Opens a spool. Content above 1 MiB goes to a temporary file. Throws `output-full` or `output-refused`. */
export function openSpool(): Spool {
  let folder: TemporaryFolder | undefined
  let file: number | undefined
  const room = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  let head: Uint8Array | undefined
  let size = 0
  const write = (piece: Uint8Array) => {
    folder ??= makeTemporaryFolder()
    const path = join(folder.path, 'content')
    attemptSync(path, () => {
      file ??= openSync(path, 'wx+', 0o600)
      for (let at = 0; at < piece.length; ) {
        at += writeSync(file, piece, at, piece.length - at, size + at)
      }
    })
    size += piece.length
  }
  return {
    async keep(content) {
      head = undefined
      size = 0
      for await (const piece of inPieces(content, room)) {
        if (head) write(piece)
        else head = Buffer.from(piece)
      }
    },
    *read() {
      if (head) yield head
      for (let at = 0; at < size; at += CHUNK_SIZE) {
        const piece = Buffer.alloc(Math.min(CHUNK_SIZE, size - at))
        readSync(file as number, piece, 0, piece.length, at)
        yield piece
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
      folder?.remove()
    },
  }
}
