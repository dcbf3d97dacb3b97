import { constants, inflateSync } from 'node:zlib'
import { ArchiveError } from '../../errors.ts'
import type { StoredFile } from './stored-file.ts'

// What zlib needs at most to store what it cannot compress, with room for other programs' habits.
const packedUsually = (size: number) => size + Math.ceil(size / 256) + 256

/** So many of the bytes that follow are looked at for what unpacks to `size`. */
export const packedAtMost = (size: number, follow: number): number =>
  Math.min(16 * packedUsually(size), follow)

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
    const content = unpackEnough(unpack, packedUsually(size), packedAtMost(size, file.size - at))
    if (content.length === size) return content
    throw new Error(`it unpacks to ${content.length} bytes instead of ${size}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const found =
      code === 'ERR_BUFFER_TOO_LARGE' ? `it unpacks to more than ${size} bytes` : message
    throw damagedAt(file, at, found, error)
  }
}

/** The first `length` bytes, or what there is of them, of what the zlib data that begin at `at` unpack to. */
export function inflateHead(file: StoredFile, at: number, length: number): Buffer {
  try {
    // Flushed like this, zlib gives what it has and does not ask for the rest.
    return inflateSync(file.read(at, HEAD_PACKED), {
      ...{ finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: BEST_RATIO * HEAD_PACKED },
    }).subarray(0, length)
  } catch (error) {
    throw damagedAt(file, at, (error as Error).message, error)
  }
}

// Of a head of 32 bytes, with the tables that stand before it.
const HEAD_PACKED = 512
/** No more can be packed into one byte. */
export const BEST_RATIO = 1032

/** What is wrong with the zlib data that begin at `at`. */
export const damagedAt = (file: StoredFile, at: number, what: string, cause?: unknown) =>
  new ArchiveError(
    'git-object-damaged',
    `the object at byte ${at} is damaged: ${what}`,
    { entry: file.path },
    cause,
  )

function unpackEnough(unpack: (length: number) => Buffer, usual: number, most: number): Buffer {
  try {
    return unpack(usual)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR' || usual >= most) throw error
    return unpack(most)
  }
}
