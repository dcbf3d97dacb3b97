import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { limitBody } from '../../http/body.ts'
import { HttpError } from '../../http/http-error.ts'

/** Bytes of a request, inflated. It names what the client wants and what it has. */
const LARGEST = 64 * 2 ** 20

/**
 * Reads the request of a Git client, which compresses more than 1,024 bytes.
 *
 * @param encoding the header `Content-Encoding`
 * @param limit the most bytes to read, inflated
 * @throws `HttpError` 413 for more bytes, 415 for another encoding, 400 for a broken or incomplete request
 */
export async function* readGitRequest(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | null,
  limit = LARGEST,
): AsyncGenerator<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  const isZipped = name === 'gzip' || name === 'x-gzip'
  if (!isZipped && name !== 'identity') throw new HttpError(415, 'Unsupported Content-Encoding')
  yield* limitBody(isZipped ? inflated(bytes) : bytes, limit)
}

function inflated(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip()
  // A fault of either side ends the other, and is thrown to the reader.
  pipeline(Readable.from(bytes), gunzip, () => {})
  return gunzip
}
