import { ArchiveError, type Place } from '../../base/errors.ts'

/**
 * The same bytes. Throws `content-size` unless their number is the declared one, and `content-not-bytes` for chunks that
 * are not bytes.
 */
export async function* assertSize(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  place: Place,
): AsyncGenerator<Uint8Array> {
  let length = 0
  const refuse = (found: string) => {
    throw new ArchiveError('content-size', `expected ${size} bytes, found ${found}`, place)
  }
  for await (const chunk of bytes) {
    if (!(chunk instanceof Uint8Array)) {
      const message = `expected bytes (Uint8Array), found a ${typeof chunk}`
      throw new ArchiveError('content-not-bytes', message, place)
    }
    length += chunk.length
    if (length > size) refuse('more')
    yield chunk
  }
  if (length !== size) refuse(String(length))
}
