import { NO_PATH, type PagePath, settlePagePath } from '../http/raw-path.ts'
import type { IncomingRequest } from '../http/request.ts'
import { type Address, createRouter, type Match } from '../http/router.ts'
import { type Endpoint, takesAnyAccept } from '../interface/endpoint.ts'
import { ENDPOINTS, type HandlerName } from '../interface/endpoints.ts'
import { type MediaType, qualityOf } from '../interface/media-types.ts'
import { RESERVED } from '../interface/reserved-words.ts'
import type { FoundPage, Page } from '../pages/page.ts'
import type { Route } from '../rest/answer-request.ts'
import { GIT, type GitAddress, toGitAddress } from '../rest/git/git-address.ts'
import { HANDLERS } from '../rest/handlers/handlers.ts'

/** An address of the server, and which of its faces answers there. */
interface Row extends Address {
  readonly face: 'git' | 'rest' | 'page'
  /** The media type of its answers; undefined for one that answers whatever a request accepts. */
  readonly type?: string | undefined
  /** Where a page has the same address, it answers only those who send credentials. */
  readonly isForCallers?: boolean | undefined
  readonly endpoint?: Endpoint
  readonly page?: Page
}

const INTERFACE: readonly Row[] = ENDPOINTS.map((endpoint: Endpoint) => ({
  face: 'rest',
  method: endpoint.method,
  path: endpoint.path,
  type: takesAnyAccept(endpoint) ? undefined : 'application/json',
  isForCallers: endpoint.isForCallers,
  endpoint,
}))

/** Who answers a request. */
export type Way =
  | { readonly face: 'git'; readonly address: GitAddress }
  | { readonly face: 'rest'; readonly route: Route }
  | { readonly face: 'page'; readonly path: PagePath; readonly found: FoundPage | null }

/** The way in: all addresses of the server in one router. */
export interface Door {
  /** Who answers a request. If the first has a second after it and finds nothing, the second answers. */
  find(request: IncomingRequest): readonly [Way, Way?]
}

/** @param pages the addresses of pages; undefined for a server that shows none */
export function createDoor(pages: readonly Page[] | undefined): Door {
  const router = createRouter<Row>([
    ...GIT.map((row): Row => ({ ...row, face: 'git' })),
    ...INTERFACE,
    ...(pages ?? []).map(
      (page): Row => ({
        face: 'page',
        method: 'GET',
        path: page.path,
        type: page.isBytes ? undefined : 'text/html',
        page,
      }),
    ),
  ])
  const match = (method: string, path: string) =>
    router.match(method, path).filter(({ row }) => !hasReservedOwner(row, path))
  const methodsOf = (path: string) =>
    METHODS.filter((method) => match(method, path).some(({ row }) => row.face === 'rest')).flatMap(
      (method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]),
    )

  return {
    find({ method, raw, target, headers, media }) {
      const settled = settlePagePath(raw, target)
      const { path } = settled
      const isShared = raw.prefix === '' && path !== NO_PATH && !path.startsWith('/_')
      const rows = match(method, path).filter(({ row: { face } }) =>
        // A path that had to be settled is none of Git or the interface.
        face === 'page' ? isShared : path === raw.path && (isShared || face === 'rest'),
      )
      const of = (face: Row['face']) => rows.find(({ row }) => row.face === face)
      const [git, rest, page] = [of('git'), of('rest'), of('page')]
      if (git) return [{ face: 'git', address: toGitAddress(git) }]

      const onPages: Way = { face: 'page', path: settled, found: pageOf(page) }
      const onRest = (): Way => ({
        face: 'rest',
        route: routeOf(rest) ?? { methods: methodsOf(raw.path) },
      })
      const hasCredentials = headers.get('authorization') !== null
      const isFirst = page !== undefined && comesBefore(page.row, rest?.row, media, hasCredentials)
      if (isFirst && page.row.type === undefined) return [onPages]
      if (rest) return isFirst ? [onPages, onRest()] : [onRest()]
      const isRead = method === 'GET' || method === 'HEAD'
      const canBePage = pages !== undefined && isShared && isRead
      const last = canBePage ? answerUnknown(media, hasCredentials, firstOf(path)) : 'json'
      if (last === 'html') return [onPages]
      return isFirst ? [onPages, onRest()] : [onRest()]
    },
  }
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

const firstOf = (path: string): string => path.split('/')[1] ?? ''

/** Whether a path that fits a row is none of it, because its owner would be a word with which paths of the interface begin. */
const hasReservedOwner = (row: Row, path: string): boolean =>
  row.path.startsWith('/:') && RESERVED.get(firstOf(path)) === 'served'

/** Whether a page answers first: if the request prefers it to what the interface has there. */
function comesBefore(
  page: Row,
  rest: Row | undefined,
  media: MediaType,
  hasCredentials: boolean,
): boolean {
  const wish = ({ type }: Row) => (type === undefined ? 1 : qualityOf(media, type))
  if (!rest) return wish(page) > 0
  return rest.isForCallers ? !hasCredentials : wish(page) > wish(rest)
}

/**
 * What is said at an address that holds nothing. Clients turn JSON into errors of their own: it is for addresses that look
 * like those of the interface, and for callers who send credentials and no wish for HTML.
 *
 * @param firstWord the first segment of the path
 */
function answerUnknown(
  accept: MediaType,
  hasCredentials: boolean,
  firstWord: string,
): 'html' | 'json' {
  const html = qualityOf(accept, 'text/html')
  if (firstWord === '-') return 'html'
  if (html === 0 || RESERVED.has(firstWord)) return 'json'
  return hasCredentials && html <= qualityOf(accept, 'application/json') ? 'json' : 'html'
}

function routeOf(found: Match<Row> | undefined): Route | undefined {
  const endpoint = found?.row.endpoint
  if (!found || !endpoint) return undefined
  return { endpoint, handler: HANDLERS[endpoint.handler as HandlerName], params: found.params }
}

function pageOf(found: Match<Row> | undefined): FoundPage | null {
  const page = found?.row.page
  return found && page ? { page, params: found.params } : null
}
