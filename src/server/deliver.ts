import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Reply } from './http/reply.ts'

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
  if (method === 'HEAD' || body === undefined || body instanceof Uint8Array) {
    const sent = method === 'HEAD' ? undefined : (body as Uint8Array | undefined)
    outgoing.end(sent)
    return sent?.length ?? 0
  }
  let bytes = 0
  const source = body[Symbol.asyncIterator]()
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

const asWebBody = (body: Reply['body']): Uint8Array<ArrayBuffer> | ReadableStream | null =>
  body === undefined || body instanceof Uint8Array
    ? ((body as Uint8Array<ArrayBuffer> | undefined) ?? null)
    : (Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream)
