import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import type { Endpoint } from '../rest/endpoint.ts'
import { ENDPOINTS, type HandlerName } from '../rest/endpoints.ts'
import { answerPage, isForPages } from './answer-page.ts'
import { type Answered, answerRequest, type IncomingRequest, type Route } from './answer-request.ts'
import { deliver } from './deliver.ts'
import { HANDLERS } from './handlers/handlers.ts'
import type { HostRules } from './http/check-host.ts'
import { type RawPath, splitTarget } from './http/raw-path.ts'
import { readStream, readWebBody } from './http/read-body.ts'
import { withoutSecrets } from './http/request-log.ts'
import type { ServerParts } from './request-context.ts'

/** The request and answer of Node.js; a request that came without a socket has none. */
export interface Socketed {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

export type App = (request: Request, env?: Socketed) => Response | Promise<Response>

interface Bindings extends Socketed {
  raw: RawPath
  target: string
}

const METHODS = ['GET', 'POST', 'DELETE'] as const

/** Makes the application: hono matches the path, and `answerRequest` does everything else. */
export function createApp(parts: ServerParts, rules: HostRules): App {
  const hono = new Hono<{ Bindings: Bindings }>({
    getPath: (_request, options) => options?.env?.raw.path ?? '/',
  })
  const exchange = async (request: Request, env: Bindings, route: Route) => {
    const incoming = describeRequest(request, env)
    return send(request, env, () => answerRequest(incoming, route, parts, rules))
  }
  const send = async (request: Request, env: Bindings, answer: () => Promise<Answered>) => {
    const started = performance.now()
    const { reply, requestId, login, fault } = await answer()
    return deliver(reply, request.method, env.outgoing, (bytes) =>
      parts.options.log?.({
        ...{ time: parts.clock(), method: request.method, path: withoutSecrets(env.target) },
        ...{ status: reply.status, bytes, milliseconds: performance.now() - started },
        ...{ login, requestId, fault },
      }),
    )
  }
  for (const endpoint of ENDPOINTS as readonly Endpoint[]) {
    const handler = HANDLERS[endpoint.handler as HandlerName]
    hono.on(endpoint.method, routeOf(endpoint.path), (c) =>
      exchange(c.req.raw, c.env, { endpoint, handler, params: paramsOf(endpoint, c.req.param()) }),
    )
  }
  hono.notFound((c) => {
    const methods = METHODS.filter((method) => {
      const [[first]] = hono.router.match(method, c.req.path)
      return first !== undefined
    })
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return exchange(c.req.raw, c.env, { methods: allowed })
  })
  return (request, env = {}) => {
    const target = env.incoming?.url ?? request.url
    const { incoming, outgoing } = env
    const bindings = { raw: splitTarget(target), target, incoming, outgoing } as Bindings
    const { pages } = parts.options
    if (pages) {
      const asked = describeRequest(request, bindings)
      const [[endpoint]] = hono.router.match('GET', bindings.raw.path)
      if (isForPages(asked, endpoint !== undefined)) {
        return send(request, bindings, () => answerPage(asked, pages, rules))
      }
    }
    return hono.fetch(request, bindings)
  }
}

/** A path of the table as hono writes it: `:guid.tar.gz` is a parameter with an ending, `:path+` one of several segments. */
const routeOf = (path: string): string =>
  path
    .replace(/:(\w+)\.([\w.]+)$/, (_, name: string, ending: string) => {
      return `:${name}{[^/]+\\.${ending.replaceAll('.', '\\.')}}`
    })
    .replace(/:(\w+)\+/g, ':$1{.+}')

/** The parameters of a path without the endings that belong to the path. */
function paramsOf({ path }: Endpoint, params: Record<string, string>): Record<string, string> {
  const [, name, ending] = /:(\w+)(\.[\w.]+)$/.exec(path) ?? []
  if (name === undefined || ending === undefined) return params
  return { ...params, [name]: (params[name] ?? '').slice(0, -ending.length) }
}

/** The same view of a request with a socket and of one without. */
function describeRequest(request: Request, { incoming, raw, target }: Bindings): IncomingRequest {
  if (incoming) {
    const { headers, headersDistinct, socket } = incoming
    const text = (value: string | string[] | undefined) =>
      Array.isArray(value) ? value.join(', ') : (value ?? null)
    return {
      ...{ method: request.method, target, raw, hosts: headersDistinct.host ?? [] },
      scheme: 'encrypted' in socket ? 'https' : 'http',
      remoteAddress: socket.remoteAddress ?? '',
      headers: { get: (name) => text(headers[name]) },
      readText: () => readStream(incoming),
    }
  }
  const { protocol, host } = new URL(request.url)
  return {
    ...{ method: request.method, target, raw, hosts: [request.headers.get('host') ?? host] },
    scheme: protocol === 'https:' ? 'https' : 'http',
    remoteAddress: '127.0.0.1',
    headers: request.headers,
    readText: () => readWebBody(request),
  }
}
