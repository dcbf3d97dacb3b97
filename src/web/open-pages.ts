import { checkDatabase } from '../check/check-database.ts'
import { hasRelation } from '../database/schema/schema.ts'
import { type Answer, answerOf, sizeOf } from './answer.ts'
import { reportOf } from './check-report.ts'
import { html } from './html.ts'
import {
  type Ask,
  failureOf,
  type Page,
  type PageFile,
  type PageRequest,
  type PageResult,
  type PageView,
  type SiteScope,
} from './page.ts'
import { PAGES } from './pages.ts'
import { blank } from './parts/elements.ts'
import { layout } from './parts/layout.ts'
import { type Audience, Library } from './read/library.ts'

/** A page that was found: HTML, bytes, or another address. */
export type Rendered =
  | { status: number; html: string; view?: PageView }
  | { status: 200; file: PageFile }
  | { status: 301 | 302; location: string }

/** Pages of databases, for the server and for a site of files. */
export interface Pages {
  readonly library: Library
  /**
   * @param path the path as in an address: its parts are still encoded
   * @param query the query of the address
   */
  render(path: string, query: URLSearchParams): Promise<Rendered>
  /** The page of a path, and its request; undefined if no page has such a path. */
  find(path: string, query: URLSearchParams): { page: Page; request: PageRequest } | undefined
  close(): void
}

export interface OpenPagesOptions {
  audience?: Audience
  isStatic?: boolean
  scope?: SiteScope
  /** Whether repositories in Git are shown. */
  git?: boolean
  /** Only these repositories, public or not, as `owner/name`; it goes with the audience `public`. */
  only?: readonly string[] | undefined
  /** Runs statements and checks archives. By default this process does. */
  ask?: Ask
  check?: PageRequest['check']
  /** By default only databases that have an index are searched. */
  searchIndex?: PageRequest['searchIndex']
}

/**
 * Opens databases to show their pages.
 *
 * @param paths databases that `loadArchive` created
 * @throws `ArchiveError` as `openDatabase`
 */
export function openPages(
  paths: readonly string[],
  {
    audience = 'all',
    isStatic = false,
    scope = WHOLE,
    git = true,
    only,
    ask = askHere,
    check = checkHere,
    searchIndex = indexHere,
  }: OpenPagesOptions = {},
): Pages {
  const library = new Library(paths, audience, { git, only, isStatic })
  const askOnce = rememberAnswers(ask)
  const requestOf = (path: string, query: URLSearchParams, params = {}): PageRequest => ({
    ...{ library, params, query, path, isStatic, scope, ask: askOnce, check, searchIndex },
  })
  return {
    library,
    find(path, query) {
      const found = findPage(path)
      return found && { page: found.page, request: requestOf(path, query, found.params) }
    },
    async render(path, query) {
      const found = findPage(path)
      const request = requestOf(path, query, found?.params)
      const isShown = found && (library.audience === 'all' || !found.page.isPrivate)
      const result: PageResult = isShown ? await found.page.open(request) : undefined
      if (result && 'bytes' in result) return { status: 200, file: result }
      if (result && 'redirect' in result) {
        return { status: result.isPermanent ? 301 : 302, location: result.redirect }
      }
      const view = result ?? NOT_FOUND
      return { status: view.status ?? 200, html: layout(request, view).toString(), view }
    },
    close: () => library.close(),
  }
}

const WHOLE: SiteScope = {
  commits: Number.POSITIVE_INFINITY,
  allRefs: true,
  files: true,
  search: true,
}

/** Approximate bytes of an answer that is remembered. */
const MOST_REMEMBERED = 256 * 2 ** 10

/** Remembers small answers as long as the database is open: the page, CSV and JSON of a question use the same one. */
function rememberAnswers(ask: Ask): Ask {
  return async (store, sql, parameters) => {
    const values = JSON.stringify(parameters, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    const key = `answer ${sql}\n${values}`
    const known = store.recall<Answer>(key)
    if (known) return known
    const answer = await ask(store, sql, parameters)
    if ('message' in answer) return answer
    const size = answer.rows.reduce((sum, row) => sum + sizeOf(row), 0)
    const keep = () => answer
    return size < MOST_REMEMBERED ? store.remember(key, keep, () => size) : answer
  }
}

const askHere: Ask = async ({ database }, sql, parameters) => {
  try {
    return answerOf(database, sql, parameters)
  } catch (error) {
    return failureOf(error)
  }
}

const checkHere: PageRequest['check'] = async ({ database }) => {
  try {
    return reportOf(checkDatabase(database))
  } catch (error) {
    return failureOf(error)
  }
}

const indexHere: PageRequest['searchIndex'] = async ({ database }) =>
  hasRelation(database, 'search_index')
    ? { index: undefined }
    : { message: 'the database has none' }

const NOT_FOUND: PageView = {
  title: 'Not found',
  status: 404,
  body: html`<h1 class="hidden">Not found</h1>${blank('This page does not exist', 'The archive holds nothing at this address. It may have had it on the host: an archive has what its export chose.', html`<a href="/">All repositories</a> · <a href="/-/threads">All threads</a>`)}`,
}

const COMPILED = PAGES.map((page) => ({ page, parts: page.pattern.split('/').slice(1) }))

/** The page of a path with its parameters, each decoded once. */
export function findPage(path: string): { page: Page; params: Record<string, string> } | undefined {
  const given = decodeParts(path)
  if (!given) return undefined
  for (const { page, parts } of COMPILED) {
    const params = match(parts, given)
    if (params) return { page, params }
  }
  return undefined
}

function decodeParts(path: string): string[] | undefined {
  try {
    const parts = path.split('/').slice(1).map(decodeURIComponent)
    const isRefused = parts.some((part) => part === '.' || part === '..' || part.includes('\0'))
    return isRefused || (parts.length > 1 && parts.includes('')) ? undefined : parts
  } catch {
    return undefined
  }
}

function match(
  pattern: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    if (part.startsWith('*')) {
      if (given.length <= i) return undefined
      params[part.slice(1)] = given.slice(i).join('/')
      return params
    }
    const text = given[i]
    if (text === undefined) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = text
    else if (part !== text) return undefined
  }
  return pattern.length === given.length ? params : undefined
}
