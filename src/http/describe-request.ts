import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { parseAccept } from '../interface/media-types.ts'
import { readStream, readWebBody } from './body.ts'
import { isOfOtherUser } from './other-user.ts'
import { splitTarget } from './raw-path.ts'
import type { IncomingRequest } from './request.ts'

/** A request on a socket, before anything of it is checked. */
export function describeIncoming(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): IncomingRequest {
  const { method = '', url = '', headers, rawHeaders, socket } = incoming
  return {
    method,
    target: url,
    raw: splitTarget(url),
    hosts: hostsOf(rawHeaders),
    scheme: 'encrypted' in socket ? 'https' : 'http',
    remoteAddress: socket.remoteAddress ?? '',
    isOfOtherUser: () => isOfOtherUser(socket),
    media: parseAccept(headers.accept),
    headers: {
      get(name) {
        const value = headers[name]
        return Array.isArray(value) ? value.join(', ') : (value ?? null)
      },
    },
    readText: () => readStream(incoming),
    // The answer still needs the socket, which a plain loop would destroy.
    readBytes: () => incoming.iterator({ destroyOnReturn: false }),
    onGone: (listener) => void outgoing.once('close', listener),
  }
}

/** The values of all `Host` headers: in `headers` Node.js keeps only the first. */
const hostsOf = (raw: readonly string[]): string[] =>
  raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === 'host')

/** The same view of a request without a socket. */
export function describeWebRequest(request: Request): IncomingRequest {
  const { method, url, headers } = request
  const { protocol, host } = new URL(url)
  return {
    method,
    target: url,
    raw: splitTarget(url),
    hosts: [headers.get('host') ?? host],
    scheme: protocol === 'https:' ? 'https' : 'http',
    remoteAddress: '127.0.0.1',
    isOfOtherUser: () => false,
    headers,
    media: parseAccept(headers.get('accept')),
    readText: () => readWebBody(request),
    readBytes: () => request.body ?? Readable.from([]),
  }
}
