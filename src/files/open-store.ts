import { openScratchFile } from './scratch-file.ts'

/** Parts of any number and size, read again in any order. */
export interface Store {
  /** Parts that were added. */
  readonly length: number
  /** Adds a part, and returns its number, from 0. Throws `output-full` or `output-refused`. */
  add(part: Uint8Array): number
  read(number: number): Buffer
  /** Makes a function like `read` for parts that mostly follow each other: it reads ahead while they do. */
  reader(): (number: number) => Buffer
  close(): void
}

/** Bytes that are written at a time. */
const CHUNK_SIZE = 2 ** 20
/** Bytes that are read ahead. */
const AHEAD = 2 ** 16

/** Opens a store. What is above 1 MiB goes to a temporary file; of each part, memory holds its place. */
export function openStore(): Store {
  const file = openScratchFile()
  /** What comes behind the bytes in the file, and how much that is. */
  let room: Buffer | undefined
  let held = 0
  const starts: number[] = []
  const startOf = (number: number) => starts[number] ?? file.size + held
  const read = (number: number): Buffer => {
    const start = startOf(number)
    const end = startOf(number + 1)
    if (start < file.size) return file.read(start, end - start)
    return Buffer.from((room as Buffer).subarray(start - file.size, end - file.size))
  }
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
    read,
    reader() {
      let ahead: { from: number; bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) }
      let following = 0
      return (number) => {
        const start = startOf(number)
        const end = startOf(number + 1)
        const follows = number === following
        following = number + 1
        const to = Math.min(file.size, start + AHEAD)
        if (start < ahead.from || end > ahead.from + ahead.bytes.length) {
          if (!follows || end > to) return read(number)
          ahead = { from: start, bytes: file.read(start, to - start) }
        }
        return ahead.bytes.subarray(start - ahead.from, end - ahead.from)
      }
    },
    close: file.close,
  }
}
