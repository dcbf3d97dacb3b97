import { closeSync, openSync, read, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Bytes } from '../base/streams.ts'
import { attemptSync } from './write-file.ts'

const readFrom = promisify(read)

/** Bytes read at a time. */
const PIECE = 256 * 1024

/** A file that is read while it is written. */
export interface GrowingFile {
  /** Writes all bytes, once. Throws their errors, `output-exists`, `output-full` or `output-refused`. */
  write(bytes: Bytes): Promise<void>
  /** Writes no more bytes. */
  stop(): void
  /** The bytes of the file from its beginning: waits for those that are still to be written, and throws what `write` throws. */
  read(): AsyncGenerator<Uint8Array>
  close(): void
}

/** Creates a file that is read while it is written. Nobody else may write it. */
export function openGrowingFile(path: string): GrowingFile {
  const file = attemptSync(path, () => openSync(path, 'wx+'))
  let size = 0
  let isStopped = false
  let end: { fault?: { error: unknown } } | undefined
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const each of waiting.splice(0)) each()
  }
  const fill = async (bytes: Bytes) => {
    for await (const piece of bytes) {
      for (let at = 0; at < piece.length; ) {
        at += attemptSync(path, () => writeSync(file, piece, at, piece.length - at, size + at))
      }
      size += piece.length
      wake()
      if (isStopped) return
    }
  }
  return {
    async write(bytes) {
      try {
        await fill(bytes)
        end = {}
      } catch (error) {
        end = { fault: { error } }
        throw error
      } finally {
        wake()
      }
    },
    stop() {
      isStopped = true
    },
    async *read() {
      for (let at = 0; ; ) {
        if (at < size) {
          const buffer = Buffer.allocUnsafe(Math.min(PIECE, size - at))
          const { bytesRead } = await readFrom(file, buffer, 0, buffer.length, at)
          at += bytesRead
          yield buffer.subarray(0, bytesRead)
        } else if (end) {
          if (end.fault) throw end.fault.error
          return
        } else await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    close: () => closeSync(file),
  }
}
