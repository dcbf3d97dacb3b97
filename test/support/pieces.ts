/**
 * Feeds bytes to what reads them: in pieces of any size, watched, or failing halfway. A reader must not
 * notice where one piece ends and the next begins.
 */

import { expect } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import type { Bytes } from '../../src/base/streams.ts'

/** The bytes in pieces of this size; all at once unless told otherwise. */
export async function* inPiecesOf(
  bytes: Uint8Array | string,
  size = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const rest = Buffer.from(bytes)
  for (let at = 0; at < rest.length; at += size) yield rest.subarray(at, at + size)
}

const PIECES = {
  whole: Number.POSITIVE_INFINITY,
  'byte by byte': 1,
  'in odd pieces': 321,
}

/** Reads bytes whole, byte by byte and in odd pieces, and expects the same value or error each time. */
export async function fedEveryWay<T>(
  bytes: Uint8Array | string,
  read: (bytes: Bytes) => Promise<T>,
): Promise<T> {
  const [first, ...others] = await Promise.all(
    Object.entries(PIECES).map(async ([way, size]) => {
      const [result] = await Promise.allSettled([read(inPiecesOf(bytes, size))])
      return { way, result }
    }),
  )
  if (!first) throw new RangeError('there is no way to feed')
  for (const { way, result } of others)
    expect(comparable(result), way).toEqual(comparable(first.result))
  if (first.result.status === 'rejected') throw first.result.reason
  return first.result.value
}

/** Reduces an error to its code and place. Its message may differ in the number of bytes read. */
function comparable(result: PromiseSettledResult<unknown>): unknown {
  if (result.status === 'fulfilled') return result.value
  const { reason } = result
  return reason instanceof ArchiveError ? { code: reason.code, place: reason.place } : reason
}

export interface Watched {
  bytes: Bytes
  /** Pieces asked for so far. */
  asked: number
  /** The reader let go of it, or read it to its end. */
  closed: boolean
}

/** A source that can tell how it is treated. */
export function watched(source: Bytes): Watched {
  const watch: Watched = { bytes: source, asked: 0, closed: false }
  watch.bytes = (async function* () {
    try {
      for await (const piece of source) {
        watch.asked++
        yield piece
      }
    } finally {
      watch.closed = true
    }
  })()
  return watch
}

/** A source that breaks after these bytes. */
export async function* failingAfter(
  bytes: Uint8Array | string,
  error: unknown,
): AsyncGenerator<Uint8Array> {
  yield* inPiecesOf(bytes, 321)
  throw error
}
