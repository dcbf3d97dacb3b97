import { pipeline, Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { PIECE } from '../../database/contents/store-chunks.ts'
import type { StreamedObject } from './git-object.ts'
import { damagedAt, inflate, packedAtMost } from './inflate.ts'
import type { StoredFile } from './stored-file.ts'

/** Bytes of a piece at most. With the default of 16 KiB, zlib spends more time on handing over than on inflating. */
export const CHUNK = 256 * 2 ** 10

// What is no larger is unpacked at once, which is faster.
const SMALL = 2 ** 20

/**
 * Unpacks exactly `size` bytes as `inflate` does, but large content in pieces of no more than 256 KiB: then what is
 * wrong is told when it is come to, after the pieces before it. The first `skipped` bytes are left out.
 */
export const unpack = (
  file: StoredFile,
  at: number,
  size: number,
  skipped = 0,
): StreamedObject['content'] =>
  size <= SMALL
    ? [inflate(file, at, size).subarray(skipped)]
    : without(skipped, inflatePieces(file, at, size))

/** All of a content. Of a list of pieces there would be a copy, so there is room made for it at first. */
export async function joinPieces({
  size,
  content,
}: Pick<StreamedObject, 'size' | 'content'>): Promise<Buffer> {
  if (!(Symbol.asyncIterator in content)) return content[0]
  const whole = Buffer.allocUnsafe(size)
  let at = 0
  for await (const piece of content) at += piece.copy(whole, at)
  return whole
}

async function* without(skipped: number, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = skipped
  for await (const piece of pieces) {
    if (piece.length > rest) yield piece.subarray(rest)
    rest = Math.max(0, rest - piece.length)
  }
}

async function* inflatePieces(file: StoredFile, at: number, size: number): AsyncGenerator<Buffer> {
  const inflater = createInflate({ chunkSize: CHUNK })
  const end = at + packedAtMost(size, file.size - at)
  // One at a time; what goes wrong in reading comes out of the inflater.
  pipeline(Readable.from(packedPieces(file, at, end), { highWaterMark: 1 }), inflater, () => {})
  let length = 0
  try {
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > size) break
      yield piece
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? damagedAt(file, at, message, error) : error
  } finally {
    inflater.destroy()
  }
  if (length === size) return
  const found = length > size ? `more than ${size} bytes` : `${length} bytes instead of ${size}`
  throw damagedAt(file, at, `it unpacks to ${found}`)
}

/** What is packed, as it is stored, so that nothing is copied. */
function* packedPieces(file: StoredFile, from: number, end: number): Generator<Buffer> {
  for (let at = from; at < end; ) {
    const piece = file.read(at, Math.min(PIECE - (at % PIECE), end - at))
    yield piece
    at += piece.length
  }
}
