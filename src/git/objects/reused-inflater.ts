import { constants } from 'node:zlib'
import { Inflate } from 'minizlib'

/** The most bytes that `inflateWithReused` makes. */
export const MOST_REUSED = 64 * 2 ** 10

/**
 * Creates a function that inflates one zlib stream after the other as `inflateSync` does, and throws what it throws. Most objects are so
 * small that to make an inflater takes longer than to use it.
 *
 * @param flush whether the end of the stream must be there, as a constant of zlib
 * @param most the most bytes to make
 */
function createReused(flush: number, most: number): (data: Buffer) => Buffer {
  // Left alone, it would take no larger window than that of the first stream. minizlib hands the last two to Node.js, though its types
  // do not name them.
  const options = {
    flush,
    windowBits: LARGEST_WINDOW,
    chunkSize: MOST_REUSED,
    maxOutputLength: most,
  }
  let idle: Inflate | undefined
  return (data) => {
    const inflater = idle ?? new Inflate(options)
    // One that fails is not used again.
    idle = undefined
    try {
      inflater.reset()
      inflater.write(data)
    } catch (error) {
      throw (error as Error).cause
    }
    const content = inflater.read() ?? NOTHING
    idle = inflater
    return content
  }
}

const NOTHING = Buffer.alloc(0)

/** The window of zlib, of 32 KiB, as a power of two. */
const LARGEST_WINDOW = 15

/** Inflates a whole stream of up to 64 KiB. */
export const inflateWithReused = createReused(constants.Z_FINISH, MOST_REUSED)

/** The highest compression ratio of zlib. */
export const BEST_RATIO = 1032
/** The most bytes of a stream for `inflateStart`. */
export const LONGEST_START = 512

/** Inflates the beginning of a stream. */
export const inflateStart = createReused(constants.Z_SYNC_FLUSH, BEST_RATIO * LONGEST_START)
