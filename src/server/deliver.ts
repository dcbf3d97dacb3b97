import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Reply } from './http/reply.ts'

/** Bytes of a stream that may be ahead of its socket. */
const AHEAD = 262_144

/**
 * Sends a reply: on a socket directly, which spares a `Response` with its streams, else as a `Response`.
 *
 * @param done is called with the number of bytes of the body when it has been handed over
 */
export async function deliver(
  { status, headers, body }: Reply,
  method: string,
  outgoing: ServerResponse | undefined,
  done: (bytes: number) => void,
): Promise<Response> {
  const sent = method === 'HEAD' ? undefined : body
  if (!outgoing) {
    done(sent instanceof Uint8Array ? sent.length : 0)
    return new Response(asWebBody(sent), { status, headers })
  }
  outgoing.writeHead(status, headers)
  if (sent === undefined || sent instanceof Uint8Array) {
    outgoing.end(sent)
    done(sent?.length ?? 0)
    return RESPONSE_ALREADY_SENT
  }
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of sent) {
      bytes += chunk.length
      yield chunk
    }
  }
  const stream = Readable.from(counted(), { objectMode: false, highWaterMark: AHEAD })
  // A client that goes away during a download is nobody's fault.
  await pipeline(stream, outgoing).catch(() => outgoing.destroy())
  done(bytes)
  return RESPONSE_ALREADY_SENT
}

const asWebBody = (body: Reply['body']): Uint8Array<ArrayBuffer> | ReadableStream | null =>
  body === undefined || body instanceof Uint8Array
    ? ((body as Uint8Array<ArrayBuffer> | undefined) ?? null)
    : (Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream)
