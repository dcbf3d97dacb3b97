import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
import { attemptSync } from './write-file.ts'

/** Parts of any number and size, read again in any order. */
export interface Store {
  /** Adds a part, and returns its number, from 0. Throws `output-full` or `output-refused`. */
  add(part: Uint8Array): number
  read(number: number): Buffer
  close(): void
}

/** Bytes that are written at a time. */
const CHUNK_SIZE = 2 ** 20

/** Opens a store. What is above 1 MiB goes to a temporary file; of each part, memory holds its place. */
export function openStore(): Store {
  let folder: TemporaryFolder | undefined
  let file: number | undefined
  let room: Buffer | undefined
  /** Bytes in the file, and after them in the room. */
  let [written, held] = [0, 0]
  const starts: number[] = []
  const write = (bytes: Uint8Array) => {
    folder ??= makeTemporaryFolder()
    const path = join(folder.path, 'content')
    attemptSync(path, () => {
      file ??= openSync(path, 'wx+', 0o600)
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(file, bytes, at, bytes.length - at, written + at)
      }
    })
    written += bytes.length
  }
  const flush = () => {
    if (room && held > 0) write(room.subarray(0, held))
    held = 0
  }
  return {
    add(part) {
      starts.push(written + held)
      room ??= Buffer.allocUnsafeSlow(CHUNK_SIZE)
      if (held + part.length > CHUNK_SIZE) flush()
      if (part.length > CHUNK_SIZE) write(part)
      else {
        room.set(part, held)
        held += part.length
      }
      return starts.length - 1
    },
    read(number) {
      const start = starts[number] as number
      const end = starts[number + 1] ?? written + held
      const part = Buffer.allocUnsafe(end - start)
      if (start >= written) (room as Buffer).copy(part, 0, start - written, end - written)
      else readSync(file as number, part, 0, part.length, start)
      return part
    },
    close() {
      if (file !== undefined) closeSync(file)
      folder?.remove()
    },
  }
}
