import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ArchiveError } from '../base/errors.ts'

// An import of node:http loads the client of WebSocket as well, which takes longer than the rest of it.
const require = createRequire(import.meta.url)
const http = require('node:http') as typeof import('node:http')
const https = require('node:https') as typeof import('node:https')

/** Answers a request on a socket. */
type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** Where a server listens. */
interface ListenOptions {
  /** The address to listen on. Default 127.0.0.1. */
  readonly bind?: string | undefined
  /** Certificate and key, as PEM. */
  readonly tls?: { cert: string | Uint8Array; key: string | Uint8Array } | undefined
  /** The address of the server for others, behind a proxy. */
  readonly baseUrl?: string | undefined
  /** Whether the body of a request may take as long as bytes arrive, by its target. Default: none may. */
  readonly takesLong?: ((target: string) => boolean) | undefined
}

/** A server that accepts connections. */
export interface Listening {
  readonly url: string
  /** Stops accepting and lets requests finish for a while. */
  close(): Promise<void>
}

/** Limits that Node.js enforces for us; the application does not see such requests. */
const LIMITS = {
  /** Bytes of the request line and all headers. */
  maxHeaderSize: 16_384,
  /** Milliseconds until the head of a request is complete, and the whole request. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  /** Milliseconds after which a connection is closed on which nothing moves, such as a download that nobody reads. */
  stallTimeout: 60_000,
  /** Milliseconds in which a client can read why its request was refused. */
  lingerTime: 1_000,
  /** Connections at a time. */
  mostConnections: 512,
  /** Milliseconds until the handshake of TLS is complete. */
  handshakeTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  insecureHTTPParser: false,
}

const LONGEST_TARGET = 8_192
const MOST_REQUESTS = 1_000

/** Milliseconds for which requests may go on after `close`. */
const GRACE = 10_000

/**
 * Listens for HTTP, or for HTTPS with a certificate.
 *
 * @param limits shorter times, for tests
 * @throws `address-in-use`, `address-refused`, or `option-invalid` for an invalid certificate or key
 */
export async function listen(
  app: { readonly handle: Handle },
  port: number,
  { bind = '127.0.0.1', tls, baseUrl, takesLong }: ListenOptions,
  limits: Partial<typeof LIMITS> = {},
): Promise<Listening> {
  const settings = { ...LIMITS, ...limits }
  const { requestTimeout, lingerTime } = settings
  const listener: Listener = (incoming, outgoing) => {
    if ((incoming.url ?? '').length > LONGEST_TARGET) {
      outgoing.writeHead(414, { Connection: 'close', 'Content-Length': '0' }).end()
      return
    }
    if (takesLong && !takesLong(incoming.url ?? '')) endLate(incoming, requestTimeout, lingerTime)
    // A socket on which even an answer fails is closed without another one.
    app.handle(incoming, outgoing).catch(() => outgoing.destroy())
  }
  // Node.js has one limit for all requests.
  const accepting = takesLong ? { ...settings, requestTimeout: 0 } : settings
  const server: Server = tls
    ? createSecureServer(tls, accepting, listener)
    : http.createServer(accepting, listener)
  const waiting = makeRoom(server, settings.mostConnections)
  server.timeout = settings.stallTimeout
  server.maxRequestsPerSocket = MOST_REQUESTS
  server.on('clientError', (error, socket) => refuseBroken(error, socket, lingerTime))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refused(error, bind, port)))
    server.listen({ host: bind, port, exclusive: true }, resolve)
  })
  const { port: chosen } = server.address() as AddressInfo
  const name = bind.includes(':') ? `[${bind}]` : bind
  return {
    url: baseUrl ?? `${tls ? 'https' : 'http'}://${name}:${chosen}`,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      // Of one on which nothing came yet, Node.js expects a request; browsers open some before they need them.
      for (const socket of waiting()) if (socket.bytesRead === 0) socket.destroy()
      // A connection that was answered just now would wait for its next request.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const grace = setTimeout(() => server.closeAllConnections(), GRACE)
      await closed
      clearInterval(idle)
      clearTimeout(grace)
    },
  }
}

/**
 * Closes the connection that has waited longest for a whole head when there are too many: clients that open connections and
 * never ask would keep all others out. If every one has a request, the new connection is closed.
 *
 * @returns the connections that wait now
 */
function makeRoom(server: Server, limit: number): () => Iterable<Socket> {
  const waiting = new Map<string, Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    count++
    waiting.set(peer, socket)
    socket.once('close', () => {
      count--
      if (waiting.get(peer) === socket) waiting.delete(peer)
    })
    if (count <= limit) return
    const [[oldest, idle] = [peer, socket]] = waiting
    waiting.delete(oldest)
    idle.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    // Of TLS, this is not the socket that was accepted, but it has the same peer.
    const peer = peerOf(socket)
    const accepted = waiting.get(peer)
    waiting.delete(peer)
    outgoing.once('finish', () => {
      if (accepted && !accepted.destroyed) waiting.set(peer, accepted)
    })
  })
  return () => waiting.values()
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

function createSecureServer(
  { cert, key }: NonNullable<ListenOptions['tls']>,
  settings: typeof LIMITS,
  listener: Listener,
): Server {
  try {
    return https.createServer({ ...settings, cert: asPem(cert), key: asPem(key) }, listener)
  } catch (error) {
    // OpenSSL says `error:05800074:x509 certificate routines::key values mismatch`.
    const reason = (error as Error).message.replace(/^error:.*::/, '')
    const message = `tls: certificate and key cannot be used: ${reason}`
    throw new ArchiveError('option-invalid', message, {}, error)
  }
}

const asPem = (text: string | Uint8Array): string | Buffer =>
  typeof text === 'string' ? text : Buffer.from(text)

/** Ends a request whose body is not complete in time, as Node.js does where one limit holds for all requests. */
function endLate(incoming: IncomingMessage, milliseconds: number, lingerTime: number): void {
  const end = () => {
    const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    refuseBroken(error, incoming.socket, lingerTime)
  }
  const timer = setTimeout(end, milliseconds)
  for (const event of ['end', 'close']) incoming.once(event, () => clearTimeout(timer))
}

type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Answers bytes that are not a request, and requests that are too large or too slow, and ends the connection. */
function refuseBroken(error: BrokenRequest, socket: Duplex, lingerTime: number): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = statusOfBroken(error)
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
  // A client that keeps its side open would keep the connection.
  setTimeout(() => socket.destroy(), lingerTime).unref()
}

function statusOfBroken({ code, rawPacket }: BrokenRequest): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  if (code !== 'HPE_HEADER_OVERFLOW') return 400
  const lineEnd = rawPacket?.indexOf('\n') ?? -1
  return lineEnd < 0 || lineEnd > LONGEST_TARGET ? 414 : 431
}

function refused(error: NodeJS.ErrnoException, bind: string, port: number): ArchiveError {
  const isUsed = error.code === 'EADDRINUSE'
  const code = isUsed ? 'address-in-use' : 'address-refused'
  const what = isUsed ? 'another program listens there' : error.message
  return new ArchiveError(code, `${bind}:${port}: ${what}`, {}, error)
}
