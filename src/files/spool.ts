import { type Bytes, inPieces } from '../base/streams.ts'
import { openScratchFile } from './scratch-file.ts'

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
  const file = openScratchFile()
  const room = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  let head: Uint8Array | undefined
  return {
    async keep(content) {
      head = undefined
      file.clear()
      for await (const piece of inPieces(content, room)) {
        if (head) file.append(piece)
        else head = Buffer.from(piece)
      }
    },
    *read() {
      if (head) yield head
      yield* file.pieces(CHUNK_SIZE)
    },
    close: file.close,
  }
}
