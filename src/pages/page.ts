import { ArchiveError } from '../base/errors.ts'
import type { Parameters } from '../query/run-query.ts'
import type { Library, Repository } from '../reading/library.ts'
import type { Written } from '../reading/people/written-texts.ts'
import type { Store } from '../reading/store.ts'
import type { SearchOptions } from '../search/search-database.ts'
import type { FoundText } from '../search/snippets.ts'
import type { Answer } from '../tasks/answer.ts'
import type { BlameQuestion, BlameRun } from '../tasks/blame-runs.ts'
import type { CheckReport } from '../tasks/check-report.ts'
import type { Failure } from '../tasks/page-work.ts'
import type { SearchIndex } from '../tasks/search-indexes.ts'
import type { Html } from './html.ts'

export type Tab =
  | 'code'
  | 'issues'
  | 'pulls'
  | 'discussions'
  | 'releases'
  | 'wiki'
  | 'projects'
  | 'charts'

/** The parts of a page. */
export interface PageRequest {
  readonly library: Library
  /** The parts of the path that the pattern names, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The path, encoded. */
  readonly path: string
  /** Whether pages are files: without forms, and without pages that need the server. */
  readonly isStatic: boolean
  /** The content of a site of files. */
  readonly scope: SiteScope
  /** Runs a statement that only reads. Returns a message if it fails or takes too long. */
  readonly ask: Ask
  /** The same over several databases as one, unless pages are files. */
  readonly askAll?: AskAll | undefined
  /** Searches a database. Throws as `searchDatabase`, `query-busy`, and `query-timeout` or `limit-memory` if it takes too much. */
  readonly search: Search
  /** Where the search index of a database is. */
  readonly searchIndex: (store: Store) => Promise<SearchIndex>
  /** Tells where the lines of a file come from. */
  readonly blame: Blame
  /** Finds what a person wrote, by their url. */
  readonly written: FindWritten
  /** Checks the archives of a database. */
  readonly check: (store: Store) => Promise<CheckReport | 'running' | Failure>
}

export type Search = (
  store: Store,
  words: string,
  options: SearchOptions,
) => Promise<readonly FoundText[]>

export type Blame = (
  store: Store,
  question: BlameQuestion,
) => Promise<readonly BlameRun[] | Failure>

export type FindWritten = (library: Library, person: string) => Promise<Written | Failure>

export type Ask = (store: Store, sql: string, parameters: Parameters) => Promise<Answer | Failure>

/** Being made says that the databases are merged at this moment. */
export type AskAll = (
  stores: readonly Store[],
  sql: string,
  parameters: Parameters,
) => Promise<Answer | Failure | { readonly part: number }>

/** The content that a site of files shows. */
export interface SiteScope {
  /** Commits of each repository that have a page, the newest first. */
  readonly commits: number
  /** All branches have folders and files, and not only the default branch and tags. */
  readonly allRefs: boolean
  /** It has the bytes of uploads. */
  readonly files: boolean
  /** It has an index to search in. */
  readonly search: boolean
  /** Archives of its databases, for download. */
  readonly archives: readonly SiteArchive[]
}

/** An archive in a site: all of a database. */
export interface SiteArchive {
  readonly store: Store
  /** The name of its file. */
  readonly name: string
  /** Bytes; before it is built, about as many. */
  readonly size: number
}

/** A file of a site. */
export interface SiteLink {
  readonly file: string
  /** Browsers save it under this name instead of showing it. */
  readonly download?: string
}

/** The HTML of a page, without the layout around it. */
export interface PageView {
  readonly title: string
  readonly body: Html
  readonly status?: number
  /** Seconds after which a browser loads it again, because something is still being made. */
  readonly again?: number
  /** The repository whose header the page has. */
  readonly repository?: Repository
  readonly tab?: Tab
  /** The source, for the footer. */
  readonly source?: Html | undefined
  /** Paths of the previous and the next page, for keys and `<link>` elements. */
  readonly prev?: string | undefined
  readonly next?: string | undefined
  /** The path of the raw record. */
  readonly raw?: string | undefined
}

/** Anything else: a picture, a file, a style sheet. */
export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>
  readonly size?: number
  /** An ETag without its quotes. */
  readonly etag?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface PageRedirect {
  readonly redirect: string
  readonly isPermanent?: boolean
}

export type PageResult = PageView | PageFile | PageRedirect | undefined

/** One kind of page. */
export interface Page {
  /** Its address. Literal segments and parameters: `:owner` is one segment, `:rest+` one or several. */
  readonly path: string
  /** Whether it is sent whatever a request accepts: browsers do not ask for style sheets and pictures as `text/html`. */
  readonly isBytes?: boolean
  /** Undefined if there is no such page. */
  readonly open: (request: PageRequest) => PageResult | Promise<PageResult>
  /** Whether it is about the whole database, which strangers may not see. */
  readonly isPrivate?: boolean
  /** Whether it needs the server, so that a site of files lacks it. */
  readonly isServerOnly?: boolean
  /** Whether a site of files has this page; by default it has all. */
  readonly isInSite?: (request: PageRequest) => boolean
  /** The file of this page in a site; by default the one that its address gives. */
  readonly siteLink?: (request: PageRequest, file: string) => SiteLink
  /** Parameters of the query. In a site of files, each value of them has a page of its own. */
  readonly query?: readonly string[]
}

/** The page of a path, with the parameters that the path gives it, decoded. */
export interface FoundPage {
  readonly page: Page
  readonly params: Readonly<Record<string, string>>
}

/** `?page=`, from 1. */
export function pageNumber(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? '1')
  return Number.isSafeInteger(page) && page > 0 && page < 1e9 ? page : 1
}

/** The repository that a path names; a redirect if the path is spelled in another case, or as Git clones it. */
function repositoryOf({
  library,
  params,
  path,
}: PageRequest): Repository | PageRedirect | undefined {
  const { owner = '', repo = '' } = params
  const name = `${owner}/${repo}`
  const repository = library.repository(name) ?? library.repository(name.replace(/\.git$/, ''))
  if (!repository) return undefined
  if (repository.owner === owner && repository.name === repo) return repository
  const rest = path.split('/').slice(3)
  const real = [repository.owner, repository.name].map(encodeURIComponent)
  return { redirect: `/${[...real, ...rest].join('/')}`, isPermanent: true }
}

/** A page beneath a repository. */
export const inRepository =
  (open: (repository: Repository, request: PageRequest) => PageResult | Promise<PageResult>) =>
  (request: PageRequest): PageResult | Promise<PageResult> => {
    const found = repositoryOf(request)
    return !found || 'redirect' in found ? found : open(found, request)
  }

/** The text of a page about an error. Bugs of this program are thrown again. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ArchiveError) return { message: error.message }
  throw error
}
