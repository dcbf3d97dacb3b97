import { randomUUID } from 'node:crypto'
import { ArchiveError } from '../errors.ts'
import { ENDPOINTS } from '../rest/endpoints.ts'
import type { Answered, IncomingRequest } from './answer-request.ts'
import { checkHost, type HostRules } from './http/check-host.ts'
import { HttpError } from './http/http-error.ts'
import { NO_PATH, pathOfOddName, splitTarget } from './http/raw-path.ts'
import type { Reply } from './http/reply.ts'
import type { PageHandler } from './page-handler.ts'

/** The first parts of paths of the interface, which cannot be logins. */
const WORDS: ReadonlySet<string> = new Set(
  ENDPOINTS.map(({ path }) => path.split('/')[1] ?? '').filter((word) => word !== ''),
)

/** Those with which paths of pages begin as well. */
const PAGE_WORDS: ReadonlySet<string> = new Set(['orgs', 'search'])

/** Addresses that pages answer whatever a request accepts: a browser does not ask for style sheets as `text/html`. */
const ALWAYS = /^\/(?:-\/|user-attachments\/|[^/]+\/[^/]+\/(?:-|raw)\/)/

/** Changes of pull requests as text, and files that older texts link to, also for browsers. */
const TEXTS = /^\/[^/]+\/[^/]+\/(?:pull\/[^/]+\.(?:diff|patch)$|(?:assets|files)\/\d+\/)/

/** Downloads, which browsers follow as well. */
const SOURCES = /^\/repos\/[^/]+\/[^/]+\/(?:tar|zip)ball(?:\/|$)/

/** Files in texts. Pages answer browsers; the interface answers callers who send credentials, by their rights. */
const UPLOADS = /^\/user-attachments\//

/**
 * Whether a request is for a page. Requests below `/api/v3` and requests that write never are. Where the interface has an
 * endpoint, a request is for the page only if it prefers HTML.
 *
 * @param hasEndpoint whether the interface answers at this path
 */
export function isForPages(
  request: Pick<IncomingRequest, 'method' | 'raw' | 'headers'> & { readonly target?: string },
  hasEndpoint: boolean,
): boolean {
  const { method, raw, headers } = request
  const path = withoutSlash(request) ?? pagePath(request)
  if ((method !== 'GET' && method !== 'HEAD') || raw.prefix !== '' || path === NO_PATH) return false
  if (path.startsWith('/_') || TEXTS.test(path) || SOURCES.test(path)) return false
  if (UPLOADS.test(path) && headers.get('authorization') !== null) return false
  if (ALWAYS.test(path)) return true
  const accept = headers.get('accept')
  if (path === '/' || hasEndpoint) return prefersHtml(accept)
  const [, first = ''] = path.split('/')
  if (WORDS.has(first)) return PAGE_WORDS.has(first) && prefersHtml(accept)
  return qualityOf(accept, 'text', 'html') > 0
}

/** The path as pages take it. */
function pagePath({ raw, target = '' }: { raw: IncomingRequest['raw']; target?: string }): string {
  if (raw.path !== NO_PATH || raw.prefix !== '') return raw.path
  const odd = pathOfOddName(target)
  return odd === undefined || WORDS.has(odd.split('/')[1] ?? '') ? NO_PATH : odd
}

/** The path of a page whose address was sent with a slash at the end, as people type it; undefined for any other. */
function withoutSlash({
  raw,
  target = '',
}: Pick<IncomingRequest, 'raw'> & { target?: string }): string | undefined {
  if (raw.path !== NO_PATH || raw.prefix !== '') return undefined
  const { path, prefix } = splitTarget(target.replace(/\/(?=\?|$)/, ''))
  return path === NO_PATH || prefix !== '' ? undefined : path
}

/** Whether HTML is named, and no form of JSON is preferred. */
function prefersHtml(accept: string | null): boolean {
  if (!/text\/html/i.test(accept ?? '')) return false
  const html = qualityOf(accept, 'text', 'html')
  return html > 0 && html >= qualityOf(accept, 'application', 'json')
}

/** The quality of a type in an `Accept` header, from 0 to 1. The most specific range counts. */
function qualityOf(accept: string | null, type: string, subtype: string): number {
  if (accept === null || accept.trim() === '') return 1
  let best = { rank: 0, quality: 0 }
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const rank = [`*/*`, `${type}/*`, `${type}/${subtype}`].indexOf(name) + 1
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = given === undefined ? 1 : Number(given.slice(2)) || 0
    if (rank > best.rank) best = { rank, quality }
  }
  return best.quality
}

/** Answers a request for a page. It never throws. */
export async function answerPage(
  request: IncomingRequest,
  pages: PageHandler,
  rules: HostRules,
): Promise<Answered> {
  const { method, raw, headers, isOfOtherUser } = request
  let fault: string | undefined
  const reply = await answer().catch((error: unknown): Reply => {
    const known = toHttpError(error)
    if (known.status === 500) fault = error instanceof Error ? error.stack : String(error)
    return textReply(known)
  })
  return { reply, requestId: randomUUID(), login: undefined, fault }

  async function answer(): Promise<Reply> {
    checkHost(request.hosts, request.target, rules)
    if (method !== 'GET' && method !== 'HEAD') {
      throw new HttpError(405, 'Pages are only read.', { headers: { Allow: 'GET, HEAD' } })
    }
    const page = withoutSlash(request)
    if (page !== undefined) {
      return { status: 301, headers: { Location: page + raw.search, 'Content-Length': '0' } }
    }
    const query = new URLSearchParams(raw.search)
    return pages.answer({ method, path: pagePath(request), query, headers, isOfOtherUser })
  }
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const isBusy = error instanceof ArchiveError && error.code === 'database-busy'
  return isBusy
    ? new HttpError(503, 'The database is being written. Try again in a moment.', {
        headers: { 'Retry-After': '2' },
      })
    : new HttpError(500, 'The server failed to make this page.')
}

function textReply({ status, message, headers }: HttpError): Reply {
  const body = Buffer.from(`${message}\n`)
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(body.length),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'",
      ...headers,
    },
    body,
  }
}
