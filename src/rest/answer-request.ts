import { randomUUID } from 'node:crypto'
import { authenticate } from '../http/access/authenticate.ts'
import type { Caller } from '../http/access/caller.ts'
import { requireCaller, requireCode } from '../http/access/require-caller.ts'
import { checkBodyType, parseBody } from '../http/body.ts'
import { checkHost, type HostRules } from '../http/host.ts'
import { HttpError, notFound } from '../http/http-error.ts'
import { checkOrigin, corsHeaders, preflightHeaders } from '../http/origin.ts'
import { quotaKey } from '../http/rate-limit.ts'
import { type Answered, type Reply, replyOrError } from '../http/reply.ts'
import type { IncomingRequest } from '../http/request.ts'
import { documentationUrl, type Endpoint } from '../interface/endpoint.ts'
import { checkAccept } from './check-accept.ts'
import { errorReply } from './error-body.ts'
import { finishAnswer } from './finish-answer.ts'
import { standardHeaders } from './headers.ts'
import { FIRST_PAGE, parsePage } from './paging.ts'
import type { Handler, RequestHead, ServerParts } from './request-context.ts'
import { partialResults, requireSingleSignOn, withSingleSignOn } from './single-sign-on.ts'

/** The target of the path of a request: an endpoint with its parameters, or the methods that the path has. */
export type Route =
  | { endpoint: Endpoint; handler: Handler; params: Readonly<Record<string, string>> }
  | { endpoint?: undefined; methods: readonly string[] }

interface Exchange {
  readonly request: IncomingRequest
  readonly parts: ServerParts
  readonly now: Date
  caller: Caller | undefined
  /** Whether the answer counts against the rate limit. */
  isCounted: boolean
}

/** Answers a request. It never throws: every error becomes an answer. */
export async function answerRequest(
  request: IncomingRequest,
  route: Route,
  parts: ServerParts,
  rules: HostRules,
): Promise<Answered> {
  const { method, headers, media } = request
  const { endpoint } = route
  const isCounted = endpoint === undefined || !isFree(endpoint)
  const exchange: Exchange = {
    request,
    parts,
    now: parts.clock(),
    caller: undefined,
    isCounted,
  }
  const { reply, fault } = await replyOrError(
    () => passAll(exchange, route, rules),
    (error) => errorReply(error, endpoint),
  )
  const { caller, now } = exchange
  const key = quotaKey(caller?.login, request.remoteAddress)
  if (exchange.isCounted && reply.status !== 304) parts.rateLimit.count(key)
  const quota = parts.rateLimit.quota(key, !caller, now)
  const requestId = randomUUID()
  const { cors: origins = [] } = parts.options
  const facts = { endpoint, method, caller, media, quota, now, requestId }
  const standard = standardHeaders({ ...facts, hasOrigins: origins.length > 0 })
  const cors = corsHeaders(headers, origins)
  const all = { ...reply, headers: { ...standard, ...cors, ...reply.headers } }
  return { reply: all, requestId, login: caller?.login, fault }
}

/**
 * The whole way of a request: each step lets it pass or throws an `HttpError`. Their order is part of the interface: a
 * stranger sees only 404, and the media type is checked before any ID is looked up.
 */
async function passAll(exchange: Exchange, route: Route, rules: HostRules): Promise<Reply> {
  const { request, parts, now } = exchange
  const { method, raw, headers, media, remoteAddress } = request
  const { options } = parts

  const host = checkHost(request.hosts, request.target, rules)
  const origin = options.baseUrl?.replace(/(?<!\/)\/+$/, '') ?? `${request.scheme}://${host}`
  const cors = options.cors ?? []
  const methods = route.endpoint ? [route.endpoint.method] : route.methods
  const preflight = preflightHeaders(method, headers, cors, methods)
  if (preflight) return { status: 204, headers: preflight }
  checkOrigin(method, headers, origin, cors)
  if (!route.endpoint) throw noRoute(route.methods, method, raw.path)

  const { endpoint, handler, params } = route
  if (needsCatalog(endpoint)) parts.catalog.requireReady()
  if (hasCredentials(endpoint)) {
    const takesPassword = endpoint.who === 'password'
    const caller = await authenticate(headers.get('authorization'), takesPassword, parts)
    if (caller?.kind === 'password') requireCode(caller, headers, parts.accounts)
    exchange.caller = caller && withSingleSignOn(caller, parts)
  }
  checkQuota(exchange)
  const { caller } = exchange
  requireCaller(endpoint, caller)
  const query = new URLSearchParams(raw.search)
  const head: RequestHead = {
    endpoint,
    method,
    params,
    query,
    base: origin + raw.prefix,
    origin,
    page: FIRST_PAGE,
    caller,
    remoteAddress,
    media,
    now,
    headers,
    server: parts,
  }
  requireSingleSignOn(head)
  if (typeof handler !== 'function') await handler.find(head)

  checkAccept(endpoint, media, headers.get('accept'), options.strictPreview)
  const isJson = method === 'POST' && endpoint.who !== 'signature' && !endpoint.takesBytes
  if (isJson || endpoint.takesBytes) checkBodyType(headers)
  const text = endpoint.takesBytes ? '' : await request.readText()
  const body = isJson ? parseBody(text) : {}
  if (options.readOnly && method !== 'GET' && method !== 'HEAD') throw readOnly()

  const page = parsePage(query, endpoint.list)
  const answer = typeof handler === 'function' ? handler : handler.answer
  const given = await answer({ ...head, page, body, text, readBytes: request.readBytes })
  const reply = await finishAnswer(given, { ...head, page }, raw)
  return { ...reply, headers: { ...reply.headers, ...partialResults(head) } }
}

/** Endpoints that cost no rate limit. */
const isFree = ({ path }: Endpoint): boolean => path === '/rate_limit' || path.startsWith('/_')

/** Endpoints that can be answered while the index is being made. */
const needsCatalog = (endpoint: Endpoint): boolean => endpoint.path !== '/' && !isFree(endpoint)

/** Clients carry `Authorization` along when they follow a redirect to a signed address. */
const hasCredentials = ({ path, who }: Endpoint): boolean =>
  who !== 'signature' && !path.startsWith('/_')

function checkQuota(exchange: Exchange): void {
  if (!exchange.isCounted) return
  const { caller, parts, request } = exchange
  const { remoteAddress } = request
  // A refused request does not count: the limit is used up already.
  exchange.isCounted = false
  const who = caller ? `user ID ${caller.id}` : remoteAddress
  parts.rateLimit.check(quotaKey(caller?.login, remoteAddress), !caller, who)
  exchange.isCounted = true
}

/** The error of a path or method that no endpoint has. It says where to turn, as far as the path tells what is wanted. */
function noRoute(methods: readonly string[], method: string, path: string): HttpError {
  if (methods.length > 0) {
    const Allow = methods.join(', ')
    const message = `Method Not Allowed: archives are only read, and this address takes ${Allow}`
    return new HttpError(405, message, { headers: { Allow } })
  }
  if (path.startsWith('/search/')) {
    const message =
      'Not Found: search with marc search, or on the page /search where pages are shown'
    return new HttpError(404, message, { documentationUrl: documentationUrl('search/') })
  }
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead ? notFound() : new HttpError(404, 'Not Found: archives are only read')
}

const readOnly = (): HttpError => new HttpError(403, 'This server is read-only')
