import type { IncomingMessage, ServerResponse } from 'node:http'
import { TrieRouter } from 'hono/router/trie-router'
import type { Endpoint } from '../rest/endpoint.ts'
import { ENDPOINTS, type HandlerName } from '../rest/endpoints.ts'
import { answerPage, isForPages } from './answer-page.ts'
import { type Answered, answerRequest, type IncomingRequest, type Route } from './answer-request.ts'
import { deliver, toResponse } from './deliver.ts'
import { describeIncoming, describeWebRequest } from './describe-request.ts'
import { answerGit, type GitHost } from './git/answer-git.ts'
import { parseGitAddress } from './git/git-address.ts'
import { HANDLERS } from './handlers/handlers.ts'
import type { HostRules } from './http/check-host.ts'
import { decode } from './http/raw-path.ts'
import { withoutSecrets } from './http/request-log.ts'
import type { Handler, ServerParts } from './request-context.ts'

/** Answers requests. */
export interface App {
  /** Answers a request on a socket. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
}

interface Routed {
  readonly endpoint: Endpoint
  readonly handler: Handler
}

const METHODS = ['GET', 'POST', 'DELETE'] as const

/** Makes the application: a router of hono matches the path, and `answerRequest` does everything else. */
export function createApp(parts: ServerParts, gitHost: GitHost, rules: HostRules): App {
  const { pages, log } = parts.options
  const router = new TrieRouter<Routed>()
  for (const endpoint of ENDPOINTS as readonly Endpoint[]) {
    const handler = HANDLERS[endpoint.handler as HandlerName]
    router.add(endpoint.method, routeOf(endpoint.path), { endpoint, handler })
  }
  const match = (method: string, path: string) => {
    const [[found]] = router.match(method, path)
    return found
  }
  const methodsOf = (path: string) =>
    METHODS.filter((method) => match(method, path)).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    )
  const routeTo = (method: string, path: string): Route => {
    const found = match(method === 'HEAD' ? 'GET' : method, path)
    if (!found) return { methods: methodsOf(path) }
    const [{ endpoint, handler }, params] = found
    return { endpoint, handler, params: paramsOf(endpoint, params as Record<string, string>) }
  }
  const answer = (request: IncomingRequest): Promise<Answered> => {
    const { path, prefix } = request.raw
    const address = prefix === '' ? parseGitAddress(path) : undefined
    if (address) return answerGit(request, address, gitHost, parts, rules)
    if (pages && isForPages(request, match('GET', path) !== undefined)) {
      return answerPage(request, pages, rules)
    }
    return answerRequest(request, routeTo(request.method, path), parts, rules)
  }
  const writeLog = (
    { method, target }: IncomingRequest,
    { reply, requestId, login, fault }: Answered,
    { bytes, started }: { bytes: number; started: number },
  ) =>
    log?.({
      ...{ time: parts.clock(), method, path: withoutSecrets(target) },
      ...{ status: reply.status, bytes, milliseconds: performance.now() - started },
      ...{ login, requestId, fault },
    })
  return {
    async handle(incoming, outgoing) {
      const started = performance.now()
      const request = describeIncoming(incoming, outgoing)
      const answered = await answer(request)
      const bytes = await deliver(answered.reply, request.method, outgoing)
      writeLog(request, answered, { bytes, started })
    },
    async fetch(given) {
      const started = performance.now()
      const request = describeWebRequest(given)
      const answered = await answer(request)
      const response = toResponse(answered.reply, request.method)
      const { body } = answered.reply
      const bytes = body instanceof Uint8Array && given.method !== 'HEAD' ? body.length : 0
      writeLog(request, answered, { bytes, started })
      return response
    },
  }
}

/** A path of the table as hono writes it: `:guid.tar.gz` is a parameter with an ending, `:path+` one of several segments. */
const routeOf = (path: string): string =>
  path
    .replace(/:(\w+)\.([\w.]+)$/, (_, name: string, ending: string) => {
      return `:${name}{[^/]+\\.${ending.replaceAll('.', '\\.')}}`
    })
    .replace(/:(\w+)\+/g, ':$1{.+}')

/** The parameters of a path, decoded, without the endings that belong to the path. */
function paramsOf(
  { path }: Endpoint,
  found: Readonly<Record<string, string>>,
): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in found) params[name] = decode(found[name] as string) ?? ''
  const [, name, ending] = ENDING.exec(path) ?? []
  if (name !== undefined && ending !== undefined) {
    params[name] = (params[name] ?? '').slice(0, -ending.length)
  }
  return params
}

const ENDING = /:(\w+)(\.[\w.]+)$/
