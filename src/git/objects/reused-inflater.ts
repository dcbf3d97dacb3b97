import { constants } from 'node:zlib'
import { Inflate } from 'minizlib'

/** The most bytes that a reused inflater makes. */
export const MOST_REUSED = 64 * 2 ** 10

let idle: Inflate | undefined

// It hands the last two to Node.js, though its types do not name them.
const OPTIONS = {
  flush: constants.Z_FINISH,
  chunkSize: MOST_REUSED,
  maxOutputLength: MOST_REUSED,
}

/**
 * Inflates one zlib stream of up to 64 KiB as `inflateSync` does, and throws what it throws. Most objects are so small that
 * to make an inflater takes longer than to use it.
 */
export function inflateWithReused(data: Buffer): Buffer {
  const inflater = idle ?? new Inflate(OPTIONS)
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

const NOTHING = Buffer.alloc(0)
