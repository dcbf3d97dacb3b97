import { pipeline, Readable } from 'node:stream'
import { createInflate, inflateSync } from 'node:zlib'
import { ArchiveError } from '../../base/errors.ts'
import { CHUNK_SIZE } from '../../database/contents/store-chunks.ts'
import type { StreamedObject } from '../parse/git-object.ts'
import type { RandomAccessFile } from './random-access-file.ts'
import { inflateStart, inflateWithReused, LONGEST_START, MOST_REUSED } from './reused-inflater.ts'

// Slightly more than zlib needs for incompressible data.
const usualCompressedSize = (size: number) => size + Math.ceil(size / 256) + 256

/** The most compressed bytes to read for `size` bytes of content. */
const maxCompressedSize = (size: number, follow: number): number =>
  Math.min(16 * usualCompressedSize(size), follow)

/**
 * Inflates exactly `size` bytes from the zlib data at `at`. Stops at `size`: a few bytes can inflate to gigabytes.
 */
export function inflate(file: RandomAccessFile, at: number, size: number): Buffer {
  const inflateInChunks = (length: number) =>
    size < MOST_REUSED
      ? inflateWithReused(file.read(at, length))
      : inflateSync(file.read(at, length), {
          maxOutputLength: size,
          // One more, so that the end is seen without a second round.
          chunkSize: Math.min(size + 1, 2 ** 20),
        })
  try {
    const content = unpackEnough(
      inflateInChunks,
      usualCompressedSize(size),
      maxCompressedSize(size, file.size - at),
    )
    if (content.length === size) return content
    throw new Error(wrongLength(content.length, size))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const found = code === 'ERR_BUFFER_TOO_LARGE' ? wrongLength(size + 1, size) : message
    throw damagedAt(file, at, found, error)
  }
}

const wrongLength = (length: number, size: number): string =>
  `it unpacks to ${length > size ? `more than ${size} bytes` : `${length} bytes instead of ${size}`}`

/** Inflates at most the first `length` bytes of the zlib data at `at`: 32 at most, which follow the Huffman tables. */
export function inflateHead(file: RandomAccessFile, at: number, length: number): Buffer {
  try {
    return inflateStart(file.read(at, LONGEST_START)).subarray(0, length)
  } catch (error) {
    throw damagedAt(file, at, (error as Error).message, error)
  }
}

/** An error for damaged zlib data at `at`. */
const damagedAt = (file: RandomAccessFile, at: number, fault: string, cause?: unknown) =>
  new ArchiveError(
    'git-object-damaged',
    `the object at byte ${at} is damaged: ${fault}`,
    { entry: file.path },
    cause,
  )

function unpackEnough(
  inflateInChunks: (length: number) => Buffer,
  usual: number,
  limit: number,
): Buffer {
  try {
    return inflateInChunks(usual)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR' || usual >= limit) throw error
    return inflateInChunks(limit)
  }
}

/** The largest chunk in bytes. With the default of 16 KiB, zlib spends more time on callbacks than on inflating. */
export const CHUNK = 256 * 2 ** 10

// Small content is inflated at once, which is faster.
const SMALL = 2 ** 20

/**
 * Inflates exactly `size` bytes as `inflate` does, in chunks of at most 256 KiB if the content is large. Damage is then
 * thrown after the chunks before it. The first `skipped` bytes are dropped.
 */
export const inflateInChunks = (
  file: RandomAccessFile,
  at: number,
  size: number,
  skipped = 0,
): StreamedObject['content'] =>
  size <= SMALL
    ? [inflate(file, at, size).subarray(skipped)]
    : without(skipped, inflateChunks(file, at, size))

/** Joins all chunks into one buffer, allocated once. */
export async function joinChunks({
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

async function* inflateChunks(
  file: RandomAccessFile,
  at: number,
  size: number,
): AsyncGenerator<Buffer> {
  const inflater = createInflate({ chunkSize: CHUNK })
  const end = at + maxCompressedSize(size, file.size - at)
  // One chunk at a time. Errors of reading are thrown by the inflater.
  pipeline(Readable.from(compressedChunks(file, at, end), { highWaterMark: 1 }), inflater, () => {})
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
  throw damagedAt(file, at, wrongLength(length, size))
}

/** The compressed bytes, chunk by chunk as stored, without copying. */
function* compressedChunks(file: RandomAccessFile, from: number, end: number): Generator<Buffer> {
  for (let at = from; at < end; ) {
    const piece = file.read(at, Math.min(CHUNK_SIZE - (at % CHUNK_SIZE), end - at))
    yield piece
    at += piece.length
  }
}
