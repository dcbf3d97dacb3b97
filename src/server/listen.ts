import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ArchiveError } from '../errors.ts'
import type { App } from './create-app.ts'
import type { ServeOptions } from './serve-options.ts'

/** A server that accepts connections. */
export interface Listening {
  readonly url: string
  /** Stops accepting and lets requests finish for a while. */
  close(): Promise<void>
}

const LIMITS = {
  /** Bytes of all headers of a request. */
  maxHeaderSize: 16_384,
  /** Milliseconds until the head of a request is complete, and the whole request. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const

const MOST_CONNECTIONS = 512
const MOST_REQUESTS = 1_000

/** Milliseconds for which requests may go on after `close`. */
const GRACE = 10_000

/**
 * Listens for HTTP, or for HTTPS with a certificate.
 *
 * @throws `address-in-use` or `address-refused`
 */
export async function listen(
  app: App,
  port: number,
  { bind = '127.0.0.1', tls, baseUrl }: ServeOptions,
): Promise<Listening> {
  const listener = getRequestListener((request, env) => app(request, env as never), {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }),
  })
  const server: Server = tls
    ? createHttpsServer({ ...LIMITS, cert: tls.cert as Buffer, key: tls.key as Buffer }, listener)
    : createHttpServer(LIMITS, listener)
  server.maxConnections = MOST_CONNECTIONS
  server.maxRequestsPerSocket = MOST_REQUESTS
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
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), GRACE)
      await closed
      clearTimeout(timer)
    },
  }
}

function refused(error: NodeJS.ErrnoException, bind: string, port: number): ArchiveError {
  const isUsed = error.code === 'EADDRINUSE'
  const code = isUsed ? 'address-in-use' : 'address-refused'
  const what = isUsed ? 'another program listens there' : error.message
  return new ArchiveError(code, `${bind}:${port}: ${what}`, {}, error)
}
