import { percentDecoded } from '../base/text.ts'
import { hasRelation } from '../database/schema/schema.ts'
import { unescapeHtml } from '../http/escape-html.ts'
import { decode } from '../http/raw-path.ts'
import { createRouter } from '../http/router.ts'
import { Library, type LibraryOptions } from '../reading/library.ts'
import { hasPersonPage } from '../reading/people/profiles.ts'
import { writtenBy } from '../reading/people/written-texts.ts'
import { Memo } from '../reading/store.ts'
import { searchDatabase } from '../search/search-database.ts'
import { type Answer, answerOf, sizeOf } from '../tasks/answer.ts'
import { blameRuns } from '../tasks/blame-runs.ts'
import { reportOf } from '../tasks/check-report.ts'
import { html } from './html.ts'
import {
  type Ask,
  type FoundPage,
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
   * @param found the page of the path, if it was looked up already; null if there is none
   */
  render(path: string, query: URLSearchParams, found?: FoundPage | null): Promise<Rendered>
  /** The page of a path, and its request; undefined if no page has such a path. */
  find(path: string, query: URLSearchParams): { page: Page; request: PageRequest } | undefined
  close(): void
}

/** How pages ask what takes long. */
export interface PageOptions {
  scope?: SiteScope
  /** Runs statements, follows lines, checks archives and searches. By default this process does. */
  ask?: Ask
  /** By default a statement is asked of one database. */
  askAll?: PageRequest['askAll']
  blame?: PageRequest['blame']
  /** By default this process looks for all texts of a person. */
  written?: PageRequest['written']
  check?: PageRequest['check']
  search?: PageRequest['search']
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
  options: LibraryOptions & PageOptions = {},
): Pages {
  return createPages(Library.open(paths, options), options)
}

/** Makes the pages of databases, which are closed with the pages. */
export function createPages(
  library: Library,
  {
    scope = WHOLE,
    ask = askHere,
    askAll,
    blame = blameHere,
    written = async (library, person) => writtenBy(library, person),
    check = checkHere,
    search = searchHere,
    searchIndex = indexHere,
  }: PageOptions = {},
): Pages {
  const { isStatic } = library
  const askOnce = rememberAnswers(ask)
  const requestOf = (path: string, query: URLSearchParams, params = {}): PageRequest => ({
    library,
    params,
    query,
    path,
    isStatic,
    scope,
    ask: askOnce,
    askAll,
    blame,
    written,
    check,
    search,
    searchIndex,
  })
  return {
    library,
    find(path, query) {
      const found = findPage(path)
      return found ? { page: found.page, request: requestOf(path, query, found.params) } : undefined
    },
    async render(path, query, found = findPage(path)) {
      const request = requestOf(path, query, found?.params)
      const isShown = found && (library.audience === 'all' || !found.page.isPrivate)
      const result: PageResult = isShown ? await found.page.open(request) : undefined
      if (result && 'bytes' in result) return { status: 200, file: result }
      if (result && 'redirect' in result) {
        return { status: result.isPermanent ? 301 : 302, location: result.redirect }
      }
      const view = result ?? notFound(library, path)
      const text = withoutDeadLinks(layout(request, view).toString(), library)
      return { status: view.status ?? 200, html: text, view }
    },
    close: () => library.close(),
  }
}

const WHOLE: SiteScope = {
  commits: Number.POSITIVE_INFINITY,
  allRefs: true,
  files: true,
  search: true,
  archives: [],
}

/** Approximate bytes of an answer that is remembered. */
const MOST_REMEMBERED = 256 * 2 ** 10

const bytesOf = ({ rows }: Answer): number => rows.reduce((sum, row) => sum + sizeOf(row), 0)
const ANSWERS = new Memo<Answer>(bytesOf)

/** Remembers small answers as long as the database is open: the page, CSV and JSON of a question use the same one. */
function rememberAnswers(ask: Ask): Ask {
  return async (store, sql, parameters) => {
    const values = JSON.stringify(parameters, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    const key = `${values}\n${sql}`
    const known = store.recall(ANSWERS, key)
    if (known) return known
    const answer = await ask(store, sql, parameters)
    if ('message' in answer) return answer
    return bytesOf(answer) < MOST_REMEMBERED ? store.remember(ANSWERS, key, () => answer) : answer
  }
}

const askHere: Ask = async ({ database }, sql, parameters) => {
  try {
    return answerOf(database, sql, parameters)
  } catch (error) {
    return failureOf(error)
  }
}

const blameHere: PageRequest['blame'] = async ({ database }, question) => {
  try {
    return blameRuns(database, question)
  } catch (error) {
    return failureOf(error)
  }
}

const checkHere: PageRequest['check'] = async ({ database }) => {
  try {
    const { checkDatabase } = await import('../conformance/checks/check-database.ts')
    return reportOf(await checkDatabase(database))
  } catch (error) {
    return failureOf(error)
  }
}

const searchHere: PageRequest['search'] = async ({ database }, words, options) => [
  ...searchDatabase(database, words, options),
]

const indexHere: PageRequest['searchIndex'] = async ({ database }) =>
  hasRelation(database, 'search_index')
    ? { index: undefined }
    : { message: 'the database has none' }

/** What is said where nothing is. Below a repository, its own head shows the way back. */
function notFound(library: Library, path: string): PageView {
  const [, owner, name] = path.split('/').map(percentDecoded)
  const repository = library.repository(`${owner}/${name}`)
  return {
    title: 'Not found',
    status: 404,
    body: html`<h1 class="hidden">Not found</h1>${blank('This page does not exist', 'The archive holds nothing at this address. It may have had it on the host: an archive has what its export chose.', html`<a href="/">All repositories</a> · <a href="/-/threads">All threads</a>`)}`,
    ...(repository && { repository }),
  }
}

const LINK_AT_TOP = /(<a\b[^>]*?) href="(\/[^"/?#]+)"/g

/** Records name people of whom the archive has nothing else, and strangers see few: their names are no links. */
const withoutDeadLinks = (page: string, library: Library): string =>
  page.replace(LINK_AT_TOP, (link: string, before: string, path: string) => {
    const login = findPage(unescapeHtml(path))?.params.login
    return login === undefined || hasPersonPage(library, login) ? link : before
  })

const router = createRouter(PAGES)

/** The page of a path with its parameters, each decoded once; null if there is none. */
export function findPage(path: string): FoundPage | null {
  if (path !== '/' && !path.split('/').slice(1).every(isName)) return null
  const [found] = router.match('GET', path)
  return found ? { page: found.row, params: found.params } : null
}

/** Whether a segment can be a name in the archive. */
function isName(segment: string): boolean {
  const text = decode(segment)
  return text !== undefined && !/^\.{0,2}$|\0/.test(text)
}
