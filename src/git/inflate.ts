import { inflateSync } from 'node:zlib'
import { ArchiveError } from '../errors.ts'
import type { StoredFile } from './stored-file.ts'

// What zlib needs at most to store what it cannot compress, with room for other programs' habits.
const packedAtMost = (size: number) => size + (size >> 8) + 256

/**
 * Unpacks exactly `size` bytes from the zlib data that begin at `at`. What unpacks to more stops there: a few
 * bytes can pretend to be gigabytes.
 */
export function inflate(file: StoredFile, at: number, size: number): Buffer {
  const unpack = (length: number) =>
    inflateSync(file.read(at, length), {
      maxOutputLength: Math.max(1, size),
      // One more, so that the end is seen without a second round.
      chunkSize: Math.min(Math.max(64, size + 1), 2 ** 20),
    })
  try {
    const content = unpackEnough(unpack, packedAtMost(size), file.size - at)
    if (content.length === size) return content
    throw new Error(`it unpacks to ${content.length} bytes instead of ${size}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const found =
      code === 'ERR_BUFFER_TOO_LARGE' ? `it unpacks to more than ${size} bytes` : message
    const fault = `the object at byte ${at} is damaged: ${found}`
    throw new ArchiveError('git-object-damaged', fault, { entry: file.path }, error)
  }
}

function unpackEnough(unpack: (length: number) => Buffer, usual: number, all: number): Buffer {
  try {
    return unpack(usual)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR' || usual >= all) throw error
    return unpack(Math.min(all, 16 * usual))
  }
}
