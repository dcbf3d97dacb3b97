import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { attemptSync } from './attempt.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

/** A private temporary file for what does not fit into memory. It is made when something is first written. */
export interface ScratchFile {
  /** Bytes that were written. */
  readonly size: number
  /** Where it is, once something was written. */
  readonly path: string | undefined
  /** Writes behind what was written. Throws `output-full` or `output-refused`. */
  append(bytes: Uint8Array): void
  read(position: number, length: number): Buffer
  /** Everything, in pieces of at most that many bytes. */
  pieces(size: number): Generator<Buffer>
  /** Forgets what was written. */
  clear(): void
  close(): void
}

export function openScratchFile(): ScratchFile {
  let folder: TemporaryFolder | undefined
  let path: string | undefined
  let file: number | undefined
  let size = 0
  const read = (position: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length)
    if (length > 0) readSync(file as number, bytes, 0, length, position)
    return bytes
  }
  return {
    get size() {
      return size
    },
    get path() {
      return path
    },
    append(bytes) {
      folder ??= makeTemporaryFolder()
      const own = join(folder.path, 'content')
      path = own
      attemptSync(own, () => {
        file ??= openSync(own, 'wx+', 0o600)
        for (let at = 0; at < bytes.length; ) {
          at += writeSync(file, bytes, at, bytes.length - at, size + at)
        }
      })
      size += bytes.length
    },
    read,
    *pieces(most) {
      for (let at = 0; at < size; at += most) yield read(at, Math.min(most, size - at))
    },
    clear() {
      size = 0
    },
    close() {
      if (file !== undefined) closeSync(file)
      folder?.remove()
    },
  }
}
