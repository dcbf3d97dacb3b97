import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { isSame, parseCredentials } from '../http/access/authenticate.ts'
import { deliver } from '../http/deliver.ts'
import { describeIncoming } from '../http/describe-request.ts'
import { checkHost, createHostRules } from '../http/host.ts'
import { HttpError } from '../http/http-error.ts'
import { type Listening, listen } from '../http/listen.ts'
import { checkOrigin } from '../http/origin.ts'
import { type Reply, replyOrError, textReply } from '../http/reply.ts'
import type { IncomingRequest } from '../http/request.ts'
import type { Audience } from '../reading/library.ts'
import { createMcpServer } from './create-server.ts'
import { type AnsweringOptions, openAnswering } from './open-answering.ts'

/** Where to listen, and who sees what. */
export interface McpHttpOptions extends AnsweringOptions {
  /** The port of 127.0.0.1; 0 for any free one. */
  readonly port: number
  /**
   * Who sends it sees everything, and everybody else what a stranger may see. Without one, the account that runs the server sees
   * everything, and other accounts of this machine what a stranger may see.
   */
  readonly token?: string | undefined
}

/** The path of the server. */
const PATH = '/mcp'

/** Names of this machine only: a page of another site can make a browser send no other one. */
const HOSTS = createHostRules({})

/**
 * Answers clients of the Model Context Protocol over Streamable HTTP on loopback. Requests of other sites are refused, by the
 * names in `Host` and `Origin`. A request that its client leaves is cancelled; clients of the protocol of 2025 cancel by a message
 * of their own.
 *
 * @param databases paths of databases that `loadArchive` created; they are read as one
 * @throws `address-in-use`, `address-refused`, and `ArchiveError` as `openDatabase`
 */
export async function serveMcpHttp(
  databases: readonly string[],
  { port, token, ...options }: McpHttpOptions,
): Promise<Listening> {
  const answering = openAnswering(databases, options)
  const handlerFor = (audience: Audience) =>
    createMcpHandler(() =>
      createMcpServer(async () => ({
        ...answering,
        library: () => answering.library().for(audience),
      })),
    )
  const handlers = { all: handlerFor('all'), public: handlerFor('public') }
  const running: Running = new Map()
  const endSessions = () => Promise.all([handlers.all.close(), handlers.public.close()])
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = describeIncoming(incoming, outgoing)
    const answer = () => {
      const host = checkHost(request.hosts, request.target, HOSTS)
      // Answers are for programs, never for pages: a request that only reads is checked like one that writes.
      checkOrigin('POST', request.headers, `http://${host}`, [])
      if (request.raw.path !== PATH) throw new HttpError(404, `The server is at ${PATH}`)
      return answerWith(handlers[audienceOf(request, token)], running, request, incoming)
    }
    const { reply } = await replyOrError(async () => answer(), textReply)
    await deliver(reply, request.method, outgoing)
  }
  try {
    const { url, close: stopListening } = await listen({ handle }, port, {})
    return {
      url: `${url}${PATH}`,
      async close() {
        await endSessions()
        await stopListening()
        await answering.close()
      },
    }
  } catch (error) {
    await endSessions()
    await answering.close()
    throw error
  }
}

/** Throws `HttpError` 401 for credentials that are wrong. */
function audienceOf(request: IncomingRequest, token: string | undefined): Audience {
  const sent = parseCredentials(request.headers.get('authorization'))
  if (sent.kind === 'none')
    return token === undefined && !request.isOfOtherUser() ? 'all' : 'public'
  const isKnown =
    sent.kind === 'token' &&
    token !== undefined &&
    isSame(hash('sha256', sent.token), hash('sha256', token))
  if (isKnown) return 'all'
  throw new HttpError(401, 'Bad credentials', { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** The controller that cancels each running request, by the session of its client and its id. */
type Running = Map<string, AbortController>

async function answerWith(
  handler: McpHttpHandler,
  running: Running,
  { method, readText, onGone }: IncomingRequest,
  { headers: sent }: IncomingMessage,
): Promise<Reply> {
  const gone = new AbortController()
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const body = method === 'POST' ? await readText() : null
  const message = messageOf(body)
  const session = headers.get('mcp-session-id')
  const keyOf = (id: unknown) => JSON.stringify([session, id])
  const key = session === null || message.id === undefined ? undefined : keyOf(message.id)
  if (key !== undefined) running.set(key, gone)
  onGone?.(() => {
    gone.abort()
    if (key !== undefined && running.get(key) === gone) running.delete(key)
  })
  if (message.method === 'notifications/cancelled') {
    running.get(keyOf(message.params?.requestId))?.abort()
  }
  const { signal } = gone
  const request = new Request(`http://localhost${PATH}`, { method, headers, body, signal })
  const response = await handler.fetch(request)
  return {
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      // The client sends it with all that follows. Nothing else is kept of a session.
      ...(message.method === 'initialize' && { 'Mcp-Session-Id': randomUUID() }),
    },
    body: response.body ?? undefined,
  }
}

/** The members of a message that tell what it cancels, or may be cancelled by. */
interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

/** The message of a request; empty if there is none, or several. */
function messageOf(body: string | null): Message {
  try {
    const message: unknown = JSON.parse(body ?? '')
    return typeof message === 'object' && message !== null ? message : {}
  } catch {
    return {}
  }
}
