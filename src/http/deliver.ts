import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Reply } from './reply.ts'

/** Bytes of a stream that may be ahead of its socket. */
const AHEAD = 262_144

/**
 * Sends a reply on a socket.
 *
 * @returns the number of bytes of its body that were handed over
 */
export async function deliver(
  { status, headers, body }: Reply,
  method: string,
  outgoing: ServerResponse,
): Promise<number> {
  outgoing.writeHead(status, headers)
  if (method === 'HEAD' || body === undefined) {
    outgoing.end()
    return 0
  }
  const pieces = piecesOf(body)
  if (pieces) {
    outgoing.cork()
    for (const piece of pieces) outgoing.write(piece)
    outgoing.end()
    return lengthOf(pieces)
  }
  let bytes = 0
  const source = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const counted = async function* () {
    for await (const chunk of { [Symbol.asyncIterator]: () => source }) {
      bytes += chunk.length
      yield chunk
    }
  }
  const stream = Readable.from(counted(), { objectMode: false, highWaterMark: AHEAD })
  // A client that disconnects during a download is not an error.
  await pipeline(stream, outgoing).catch(() => outgoing.destroy())
  // A stream that ends before its first byte does not tell its source, which may be an open file.
  await source.return?.()
  return bytes
}

/** A reply for a request without a socket. */
export function toResponse({ status, headers, body }: Reply, method: string): Response {
  return new Response(method === 'HEAD' ? null : asWebBody(body), { status, headers })
}

const asWebBody = (body: Reply['body']): Uint8Array<ArrayBuffer> | ReadableStream | null => {
  if (body === undefined) return null
  const pieces = piecesOf(body)
  return pieces
    ? Buffer.concat(pieces)
    : (Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream)
}

/** The pieces of a body; undefined if it is a stream. */
export function piecesOf(body: NonNullable<Reply['body']>): readonly Uint8Array[] | undefined {
  if (body instanceof Uint8Array) return [body]
  return Symbol.asyncIterator in body ? undefined : body
}

export const lengthOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0)
