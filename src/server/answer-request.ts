import { randomUUID } from 'node:crypto'
import { ArchiveError } from '../errors.ts'
import type { Endpoint } from '../rest/endpoint.ts'
import { parseAccept } from '../rest/media-types.ts'
import { authenticate } from './access/authenticate.ts'
import type { Caller } from './access/caller.ts'
import { requireCaller } from './access/require-caller.ts'
import { checkAccept } from './http/check-accept.ts'
import { checkHost, type HostRules } from './http/check-host.ts'
import { checkOrigin, corsHeaders, preflightHeaders } from './http/cross-origin.ts'
import { errorBody } from './http/error-body.ts'
import { standardHeaders } from './http/headers.ts'
import { HttpError, notFound } from './http/http-error.ts'
import { parsePage } from './http/pages.ts'
import { quotaKey } from './http/quota-key.ts'
import type { RawPath } from './http/raw-path.ts'
import { checkBodyType, parseBody } from './http/read-body.ts'
import { finishAnswer, type Reply, replyWith } from './http/reply.ts'
import type { Handler, HeaderReader, RequestHead, ServerParts } from './request-context.ts'

/** A request as it came, before anything was judged but its limits. */
export interface IncomingRequest {
  readonly method: string
  readonly target: string
  readonly raw: RawPath
  readonly scheme: 'http' | 'https'
  readonly hosts: readonly string[]
  readonly remoteAddress: string
  readonly headers: HeaderReader
  readText(): Promise<string>
}

/** What the path of a request leads to: an endpoint with its parameters, or the methods that the path has. */
export type Route =
  | { endpoint: Endpoint; handler: Handler; params: Readonly<Record<string, string>> }
  | { endpoint?: undefined; methods: readonly string[] }

/** What became of a request, for the log. */
export interface Answered {
  reply: Reply
  requestId: string
  login: string | undefined
  fault: string | undefined
}

/**
 * The whole way of a request: each step refuses it with an `HttpError` or lets it pass. The order is part of the
 * interface: a stranger learns nothing but 404, and a caller hears about the media type before anybody looks at an ID.
 * It never throws.
 */
export async function answerRequest(
  request: IncomingRequest,
  route: Route,
  parts: ServerParts,
  rules: HostRules,
): Promise<Answered> {
  const { method, raw, headers, remoteAddress } = request
  const { options } = parts
  const now = parts.clock()
  const requestId = randomUUID()
  const media = parseAccept(headers.get('accept'))
  const { endpoint } = route
  let caller: Caller | undefined
  let reply: Reply
  let fault: string | undefined
  let isCounted = endpoint === undefined || !isFree(endpoint)
  try {
    const host = checkHost(request.hosts, request.target, rules)
    const origin = options.baseUrl?.replace(/\/+$/, '') ?? `${request.scheme}://${host}`
    const cors = options.cors ?? []
    const methods = endpoint ? [endpoint.method] : route.methods
    const preflight = preflightHeaders(method, headers, cors, methods)
    if (preflight) return { reply: { status: 204, headers: preflight }, ...nobody(requestId) }
    checkOrigin(method, headers, new URL(origin).origin, cors)
    if (!route.endpoint) throw noRoute(route.methods)
    if (hasCredentials(route.endpoint)) {
      const takesPassword = route.endpoint.who === 'password'
      caller = await authenticate(headers.get('authorization'), takesPassword, parts)
    }
    const key = quotaKey(caller, remoteAddress)
    if (isCounted) {
      try {
        parts.rateLimit.check(key, !caller, caller ? `user ID ${caller.id}` : remoteAddress)
      } catch (error) {
        isCounted = false
        throw error
      }
    }
    requireCaller(route.endpoint, caller)
    const query = new URLSearchParams(raw.search)
    const head: RequestHead = {
      ...{
        endpoint: route.endpoint,
        params: route.params,
        query,
        caller,
        remoteAddress,
        media,
        now,
      },
      ...{ base: origin + raw.prefix, origin, headers, server: parts },
      page: { page: 1, perPage: 30 },
    }
    const { handler } = route
    const answer = typeof handler === 'function' ? handler : handler.answer
    if (typeof handler !== 'function') await handler.find(head)
    checkAccept(route.endpoint, media, headers.get('accept'), options.strictPreview)
    const text = await request.readText()
    const takesBody = method === 'POST'
    if (takesBody && isJson(route.endpoint)) checkBodyType(headers)
    const body = takesBody && isJson(route.endpoint) ? parseBody(text) : {}
    if (options.readOnly && method !== 'GET' && method !== 'HEAD') throw readOnly()
    const page = parsePage(query, route.endpoint.list)
    const given = await answer({ ...head, page, body, text })
    reply = finishAnswer(given, { ...head, page }, raw)
  } catch (error) {
    const known = toHttpError(error)
    if (known.status === 500)
      fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    reply = replyWith(known.status, errorBody(known, endpoint), known.headers)
  }
  const key = quotaKey(caller, remoteAddress)
  if (isCounted && reply.status !== 304) parts.rateLimit.count(key)
  const quota = parts.rateLimit.quota(key, !caller, now)
  const standard = standardHeaders({ endpoint, method, caller, media, quota, now, requestId })
  const allHeaders = { ...standard, ...corsHeaders(headers, options.cors ?? []), ...reply.headers }
  reply = { ...reply, headers: allHeaders }
  return { reply, requestId, login: caller?.login, fault }
}

const nobody = (requestId: string) => ({ requestId, login: undefined, fault: undefined })

/** Endpoints that cost no rate limit. */
const isFree = ({ path }: Endpoint): boolean => path === '/rate_limit' || path.startsWith('/_')

/** Clients carry `Authorization` along when they follow a redirect to a signed address. */
const hasCredentials = ({ path, who }: Endpoint): boolean =>
  who !== 'signature' && !path.startsWith('/_')

/** The page that grants single sign-on sends a form. */
const isJson = ({ who }: Endpoint): boolean => who !== 'signature'

const noRoute = (methods: readonly string[]): HttpError =>
  methods.length === 0
    ? notFound()
    : new HttpError(405, 'Method Not Allowed', { headers: { Allow: methods.join(', ') } })

const readOnly = (): HttpError => new HttpError(403, 'This server is read-only')

/** An error as the caller hears of it. */
function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof ArchiveError && error.code === 'database-busy') {
    return new HttpError(503, 'Service Unavailable', { headers: { 'Retry-After': '1' } })
  }
  return new HttpError(500, 'Server Error')
}
