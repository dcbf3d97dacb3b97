import { openScratchFile } from './scratch-file.ts'

/** Parts of any number and size, read again in any order. */
export interface Store {
  /** Parts that were added. */
  readonly length: number
  /** Adds a part, and returns its number, from 0. Throws `output-full` or `output-refused`. */
  add(part: Uint8Array): number
  read(number: number): Buffer
  close(): void
}

/** Bytes that are written at a time. */
const CHUNK_SIZE = 2 ** 20

/** Opens a store. What is above 1 MiB goes to a temporary file; of each part, memory holds its place. */
export function openStore(): Store {
  const file = openScratchFile()
  /** What comes behind the bytes in the file, and how much that is. */
  let room: Buffer | undefined
  let held = 0
  const starts: number[] = []
  return {
    get length() {
      return starts.length
    },
    add(part) {
      starts.push(file.size + held)
      room ??= Buffer.allocUnsafeSlow(CHUNK_SIZE)
      if (held + part.length > CHUNK_SIZE) {
        file.append(room.subarray(0, held))
        held = 0
      }
      if (part.length > CHUNK_SIZE) file.append(part)
      else {
        room.set(part, held)
        held += part.length
      }
      return starts.length - 1
    },
    read(number) {
      const start = starts[number] as number
      const end = starts[number + 1] ?? file.size + held
      if (start < file.size) return file.read(start, end - start)
      return Buffer.from((room as Buffer).subarray(start - file.size, end - file.size))
    },
    close: file.close,
  }
}
