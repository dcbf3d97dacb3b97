import { ArchiveError } from './errors.ts'

/** Content as a stream of pieces of any size. */
export type Bytes = AsyncIterable<Uint8Array>

/** Pieces as a stream. */
export async function* asBytes(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** The same pieces. Throws `content-not-bytes` for one that is not bytes, such as a string of a text stream. */
export async function* onlyBytes(pieces: Bytes): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) {
      const message = `expected bytes (Uint8Array), found a ${typeof piece}`
      throw new ArchiveError('content-not-bytes', message)
    }
    yield piece
  }
}

/** Collects all bytes. For content whose size is known to be small. */
export async function collect(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return concat(chunks)
}

/** Joins pieces, without copying a single one. */
export const concat = (pieces: readonly Uint8Array[]): Buffer =>
  pieces.length === 1 ? asBuffer(pieces[0] as Uint8Array) : Buffer.concat(pieces)

/** A Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * The same bytes in pieces that fill `room`; only the last may be shorter, and empty content has none. Each piece reuses
 * the memory of the previous one.
 */
export async function* inPieces(bytes: Bytes, room: Buffer): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + room.length - length)
      room.set(part, length)
      length += part.length
      start += part.length
      if (length < room.length) continue
      yield room
      length = 0
    }
  }
  if (length > 0) yield room.subarray(0, length)
}

export interface Peeked {
  head: Buffer
  bytes: Bytes
  /** Closes the source, even if bytes remain. */
  close(): Promise<void>
}

/** The first `size` bytes (fewer if there are no more), and all bytes including these. */
export async function peek(source: Bytes, size: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let length = 0; length < size; length += chunks.at(-1)?.length ?? 0) {
    const { done, value } = await iterator.next()
    if (done) break
    chunks.push(value)
  }
  const close = async () => void (await iterator.return?.())
  const bytes = async function* () {
    try {
      yield* chunks
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await close()
    }
  }
  return { head: concat(chunks).subarray(0, size), bytes: bytes(), close }
}

/** The first `size` bytes. The rest is not read. */
export async function headOf(source: Bytes, size: number): Promise<Buffer> {
  const { head, close } = await peek(source, size)
  await close()
  return head
}
