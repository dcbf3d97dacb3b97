/** A server of the REST interface that answers as a test says, and as a well-behaved host does otherwise. */

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ClientClock, ClientOptions } from '../../src/client/client-options.ts'

export const TOKEN = 'a-token-that-nobody-may-see'
export const SIGNATURE = 'a-signature-that-nobody-may-see'
export const GUID = '0b989ba4-242f-11e5-81e1-c7b6966d2516'

/** What was asked, as it came. */
export interface Asked {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingMessage['headers']
  body: string
  bytes: Buffer
}

/** An answer: its parts, or a function that writes it. */
export type Reply =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | ((request: IncomingMessage, response: ServerResponse, host: Host) => unknown)

export interface Host {
  readonly url: string
  readonly asked: Asked[]
  /** The archive of every migration. */
  archive: Buffer
  etag: string
  /** How it sends the archive. */
  store: Reply
  /** Migrations, the newest first. */
  migrations: Record<string, unknown>[]
  /** Answers, in their order, to the next requests of a method and path without query, such as `GET /user/migrations`. */
  script(what: string, ...replies: Reply[]): void
  /** Called when the headers of a request are there. */
  onRequest: ((request: IncomingMessage) => void) | undefined
  /** Answers, before anything else that is not scripted, what it knows. */
  answer: ((asked: Asked) => Reply | undefined) | undefined
  /** Answers requests about repositories. */
  repositories: ((request: Request) => Promise<Response>) | undefined
  /** Options of a client that waits without waiting. */
  client(more?: Partial<ClientOptions>): ClientOptions
  /** Milliseconds that its clients have waited. */
  readonly waited: number[]
  close(): Promise<void>
}

export const migration = (id: number, more: object = {}) => ({
  id,
  guid: GUID,
  state: 'exported',
  lock_repositories: false,
  exclude_attachments: false,
  repositories: [{ full_name: 'ada/kettle' }, { full_name: 'ada/teapot' }],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:10:00Z',
  ...more,
})

/** Starts a host for one test, or until `close`. */
export async function openHost(archive: Buffer = Buffer.alloc(0)): Promise<Host> {
  const host = await startHost(archive)
  onTestFinished(() => host.close())
  return host
}

export async function startHost(archive: Buffer = Buffer.alloc(0)): Promise<Host> {
  const scripts = new Map<string, Reply[]>()
  const waited: number[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    host.onRequest?.(request)
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece as Buffer)
    } catch {
      return // the client is gone
    }
    const bytes = Buffer.concat(pieces)
    const asked = { method, path: url, headers, body: bytes.toString(), bytes }
    host.asked.push(asked)
    const reply =
      scripts.get(`${method} ${url.split('?')[0]}`)?.shift() ??
      host.answer?.(asked) ??
      standard(request, host)
    if (typeof reply === 'function') return void reply(request, response, host)
    send(response, reply)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()
  let time = 0
  const clock: ClientClock = {
    now: () => time,
    random: () => 0.5,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      waited.push(milliseconds)
      time += milliseconds
    },
  }
  const host: Host = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    archive,
    store: sendArchive,
    migrations: [migration(1)],
    waited,
    onRequest: undefined,
    answer: undefined,
    repositories: undefined,
    etag: `"${createHash('sha256').update(archive).digest('hex')}"`,
    script(what, ...replies) {
      scripts.set(what, [...(scripts.get(what) ?? []), ...replies])
    },
    client: (more) => ({ server: host.url, token: TOKEN, clock, ...more }),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
  return host
}

export function send(
  response: ServerResponse,
  { status, headers, body }: Exclude<Reply, (...given: never[]) => void>,
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

const REFUSAL = { message: 'Not Found', documentation_url: 'https://developer.github.com/v3/' }

/** What a well-behaved host answers. */
function standard({ method, url = '', headers }: IncomingMessage, host: Host): Reply {
  const path = url.split('?')[0] as string
  if (path.startsWith('/store/')) return host.store
  const { repositories } = host
  if (repositories && /^\/repos\/|\.git\//.test(path)) {
    return async (_request, response) => {
      const answer = await repositories(new Request(host.url + url))
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    }
  }
  if (path === '/authorizations') return { status: 201, body: { token: 'f00d' } }
  if (headers.authorization !== `token ${TOKEN}`) return { status: 404, body: REFUSAL }
  const [, id, rest = ''] = /^\/user\/migrations(?:\/(\d+)(.*))?$/.exec(path) ?? []
  const found = host.migrations.find((one) => one.id === Number(id))
  if (path === '/user') return { status: 200, body: { login: 'ada' } }
  if (path === '/user/repos') return { status: 200, body: ownRepositories() }
  if (path === '/user/migrations') {
    if (method === 'GET') return { status: 200, body: host.migrations }
    return (_request, response) => {
      const asked = JSON.parse(host.asked.at(-1)?.body ?? '{}')
      host.migrations.unshift(started(host, asked))
      send(response, { status: 201, body: host.migrations[0] })
    }
  }
  if (!found) return { status: 404, body: REFUSAL }
  if (method === 'DELETE') return { status: 204 }
  if (rest === '') return { status: 200, body: found }
  if (rest === '/repositories') return { status: 200, body: found.repositories }
  if (rest !== '/archive') return { status: 404, body: REFUSAL }
  return { status: 302, headers: { Location: `/store/archive?signature=${SIGNATURE}` } }
}

const ownRepositories = () =>
  ['ada/kettle', 'ada/teapot', 'bob/cup'].map((full_name) => ({
    full_name,
    permissions: { admin: full_name !== 'bob/cup' },
  }))

/** A migration that was asked for. */
export const started = (
  host: Host,
  { repositories, ...options }: { repositories: string[] } & object,
) => ({
  ...migration(Math.max(0, ...host.migrations.map(({ id }) => Number(id))) + 1, options),
  repositories: repositories.map((full_name) => ({ full_name })),
  state: 'exported',
})

/** Sends the archive, or the range of it that is asked for. */
export const sendArchive: Reply = (request, response, host) => sendUpTo(request, response, host)

/** The same, a piece every so many milliseconds. */
export const sendSlowly =
  (milliseconds: number): Reply =>
  (request, response, host) => {
    const whole = startSending(request, response, host)
    if (!whole) return
    const send = (at: number) => {
      if (response.destroyed) return
      if (at >= whole.length) return void response.end()
      response.write(whole.subarray(at, at + 2 ** 16))
      setTimeout(send, milliseconds, at + 2 ** 16)
    }
    send(0)
  }

/** The same, but the connection breaks after so many bytes. */
export const cutAfter =
  (most: number): Reply =>
  (request, response, host) =>
    sendUpTo(request, response, host, most)

function sendUpTo(
  request: IncomingMessage,
  response: ServerResponse,
  host: Host,
  most = Number.POSITIVE_INFINITY,
): void {
  const whole = startSending(request, response, host)
  if (!whole) return
  const bytes = whole.subarray(0, most)
  if (bytes.length === whole.length) return void response.end(bytes)
  // The client has them before the connection breaks.
  response.write(bytes, () => setImmediate(() => response.destroy()))
}

/** Sends the headers. Returns the bytes that are asked for, if there are any. */
function startSending(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { archive, etag }: Host,
): Buffer | undefined {
  const [, asked] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  const isPart = asked !== undefined && headers['if-range'] === etag
  const start = isPart ? Number(asked) : 0
  if (isPart && start >= archive.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${archive.length}` }).end()
    return undefined
  }
  response.writeHead(isPart ? 206 : 200, {
    ETag: etag,
    'Content-Length': archive.length - start,
    ...(isPart && {
      'Content-Range': `bytes ${start}-${archive.length - 1}/${archive.length}`,
    }),
  })
  return archive.subarray(start)
}
