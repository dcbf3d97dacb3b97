import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { ArchiveError } from '../errors.ts'
import type { App } from './create-app.ts'
import type { ServeOptions } from './serve-options.ts'

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
  connectionsCheckingInterval: 1_000,
  insecureHTTPParser: false,
}

const LONGEST_TARGET = 8_192
const MOST_CONNECTIONS = 512
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
  app: Pick<App, 'handle'>,
  port: number,
  { bind = '127.0.0.1', tls, baseUrl }: ServeOptions,
  limits: Partial<typeof LIMITS> = {},
): Promise<Listening> {
  const listener: Listener = (incoming, outgoing) => {
    if ((incoming.url ?? '').length > LONGEST_TARGET) {
      outgoing.writeHead(414, { Connection: 'close', 'Content-Length': '0' }).end()
      return
    }
    // A socket on which even an answer fails is closed without another one.
    app.handle(incoming, outgoing).catch(() => outgoing.destroy())
  }
  const settings = { ...LIMITS, ...limits }
  const server: Server = tls
    ? createSecureServer(tls, settings, listener)
    : createHttpServer(settings, listener)
  server.maxConnections = MOST_CONNECTIONS
  server.timeout = settings.stallTimeout
  server.maxRequestsPerSocket = MOST_REQUESTS
  server.on('clientError', refuseBroken)
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
      // A connection that was answered just now would wait for its next request.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const grace = setTimeout(() => server.closeAllConnections(), GRACE)
      await closed
      clearInterval(idle)
      clearTimeout(grace)
    },
  }
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

function createSecureServer(
  { cert, key }: NonNullable<ServeOptions['tls']>,
  settings: typeof LIMITS,
  listener: Listener,
): Server {
  try {
    return createHttpsServer({ ...settings, cert: asPem(cert), key: asPem(key) }, listener)
  } catch (error) {
    // OpenSSL says `error:05800074:x509 certificate routines::key values mismatch`.
    const reason = (error as Error).message.replace(/^error:.*::/, '')
    const message = `tls: certificate and key cannot be used: ${reason}`
    throw new ArchiveError('option-invalid', message, {}, error)
  }
}

const asPem = (text: string | Uint8Array): string | Buffer =>
  typeof text === 'string' ? text : Buffer.from(text)

type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Answers bytes that are not a request, and requests that are too large or too slow, and ends the connection. */
function refuseBroken(error: BrokenRequest, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = statusOfBroken(error)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
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
