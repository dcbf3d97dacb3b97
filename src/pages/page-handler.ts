import { setTimeout as delay } from 'node:timers/promises'
import { etagOf, notModified } from '../http/etag.ts'
import { partOf } from '../http/range.ts'
import type { Reply } from '../http/reply.ts'
import type { Audience, Library } from '../reading/library.ts'
import { findWritten } from '../reading/people/written-texts.ts'
import { type WatchedLibrary, watchLibrary } from '../reading/watch-library.ts'
import type { CheckReport } from '../tasks/check-report.ts'
import { createMergedDatabases } from '../tasks/merged-databases.ts'
import type { Failure } from '../tasks/page-work.ts'
import {
  answerQuery,
  answerQueryOf,
  blameFile,
  checkPath,
  findTexts,
  findWrittenTexts,
} from '../tasks/run-task.ts'
import { createSearchIndexes } from '../tasks/search-indexes.ts'
import { localPathOf } from './link.ts'
import { createPages, type Pages } from './open-pages.ts'
import {
  type Ask,
  type AskAll,
  type Blame,
  type FindWritten,
  type FoundPage,
  failureOf,
  type Page,
  type PageFile,
  type PageRequest,
  type Search,
} from './page.ts'
import { PAGES } from './pages.ts'
import { CONTENT_POLICY } from './parts/layout.ts'

/** A request for a page. */
export interface PageQuestion {
  /** Its parts are still encoded. */
  readonly path: string
  /** The page of the path, if it was looked up already; null if there is none. */
  readonly found?: FoundPage | null | undefined
  /** The parameters after the `?`. */
  readonly query: URLSearchParams
  /** By names in lowercase. */
  readonly headers: { get(name: string): string | null }
  /** Whether another account of this machine asks: it sees what a stranger may see. */
  readonly isOfOtherUser?: (() => boolean) | undefined
}

/** Answers with pages. */
export interface PageHandler {
  /** The pages, by their addresses. Where two fit a request, the first one answers. */
  readonly rows: readonly Page[]
  /** Throws `HttpError`, or `ArchiveError` with `database-busy`. */
  answer(question: PageQuestion): Promise<Reply>
  /** The path of the page of a record, with its place there; undefined if no page shows it. */
  pathOf(url: string): string | undefined
  /** Closes what it has open. */
  close(): void
}

/**
 * Opens databases to answer requests with their pages.
 *
 * @throws `ArchiveError` as `openDatabase`
 */
export function openPageHandler(
  paths: readonly string[],
  audience: Audience,
  options: { folder?: string | undefined } = {},
): PageHandler {
  const databases = watchLibrary(paths)
  const pages = createPageHandler(databases, audience, options)
  return {
    ...pages,
    close() {
      pages.close()
      void databases.close()
    },
  }
}

/**
 * Answers requests with pages of databases that a server has open.
 *
 * @param folder where search indexes are kept for databases that have none, and one database of all; a temporary one without it
 */
export function createPageHandler(
  databases: Pick<WatchedLibrary, 'library'>,
  audience: Audience,
  { folder }: { folder?: string | undefined } = {},
): PageHandler {
  const indexes = createSearchIndexes(folder)
  const merged = createMergedDatabases(folder)
  const askAll: AskAll = async (stores, sql, parameters) => {
    const found = await merged.of(stores)
    if (!('path' in found)) return found
    try {
      const answer = await answerQueryOf(found, sql, parameters)
      if (answer) return answer
      const whole = await merged.mergedOf(stores)
      return 'path' in whole ? await answerQuery(whole.path, sql, parameters) : whole
    } catch (error) {
      return failureOf(error)
    }
  }
  const searchIndex: PageRequest['searchIndex'] = ({ database }) => indexes.of(database)
  const make = (library: Library) => ({
    pages: createPages(library, {
      ask: askProcess,
      askAll,
      blame: blameInProcess,
      written: findWrittenInProcess,
      check: checkOnce(),
      search: searchInProcess,
      searchIndex,
    }),
    // They are closed with the library.
    close() {},
  })
  /** The pages of the databases as they are now. */
  const pagesFor = (audience: Audience): Pages => databases.library.for(audience).keep(make).pages
  return {
    rows: PAGES,
    async answer(question) {
      if (isForeign(question))
        return { status: 403, headers: { ...HEADERS, 'Content-Length': '0' } }
      const isOther = audience === 'all' && question.isOfOtherUser?.() === true
      return answer(pagesFor(isOther ? 'public' : audience), question)
    },
    pathOf: (url) => localPathOf(databases.library.for(audience), url),
    close() {
      indexes.close()
      merged.close()
    },
  }
}

/** Statements are not run for links of other sites. */
const isForeign = ({ path, headers }: PageQuestion): boolean =>
  /^\/-\/(?:sql|check)(?:$|\/)/.test(path) && headers.get('sec-fetch-site') === 'cross-site'

/** Answers in a process of its own. */
const askProcess: Ask = (store, sql, parameters) =>
  answerQuery(store.database.name, sql, parameters).catch(failureOf)

const blameInProcess: Blame = ({ database }, question) =>
  blameFile(database.name, question).catch(failureOf)

const findWrittenInProcess: FindWritten = (library, person) =>
  findWritten(library, person, findWrittenTexts).catch(failureOf)

const searchInProcess: Search = ({ database }, words, options) =>
  findTexts(database.name, words, options)

/** Milliseconds that a page waits for a check. */
const PATIENCE = 4_000

/** Runs one check of each database at a time, and keeps what it found. */
function checkOnce(): PageRequest['check'] {
  const running = new Map<string, Promise<CheckReport | Failure>>()
  return async ({ database }) => {
    const path = database.name
    let report = running.get(path)
    if (!report) {
      report = checkPath(path).catch(failureOf)
      running.set(path, report)
    }
    const tired = delay(PATIENCE, 'running' as const, { ref: false })
    return Promise.race([report, tired])
  }
}

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

async function answer(pages: Pages, question: PageQuestion): Promise<Reply> {
  const { path, query, headers } = question
  const found = await pages.render(path, query, question.found)
  if ('location' in found) {
    return {
      status: found.status,
      headers: { ...HEADERS, Vary: 'Accept', Location: found.location, 'Content-Length': '0' },
    }
  }
  if ('file' in found) return sendFile(found.file, question)
  const body = Buffer.from(found.html)
  const all = {
    ...HEADERS,
    'Content-Security-Policy': CONTENT_POLICY,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept',
    // The header, because a page that reloads itself confuses those who hear it.
    ...(found.view?.again !== undefined && { Refresh: String(found.view.again) }),
  }
  const whole = {
    ...all,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
  }
  if (found.status !== 200) return { status: found.status, headers: whole, body }
  const tagged = { ...whole, ETag: etagOf(body) }
  return notModified(headers, tagged) ?? { status: 200, headers: tagged, body }
}

function sendFile(file: PageFile, { headers }: PageQuestion): Reply {
  const { type, bytes, etag: name } = file
  const all = {
    ...HEADERS,
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'private, no-cache',
    'Content-Type': type,
    ...file.headers,
  }
  const size = bytes instanceof Uint8Array ? bytes.length : file.size
  const sized = size === undefined ? all : { ...all, 'Content-Length': String(size) }
  if (name === undefined) return { status: 200, headers: sized, body: bytes }
  const tagged = { ...sized, ETag: `"${name}"` }
  const known = notModified(headers, tagged)
  if (known) return known
  if (size === undefined || bytes instanceof Uint8Array) {
    return { status: 200, headers: tagged, body: bytes }
  }
  const part = partOf(headers, { size, etag: tagged.ETag })
  const { status, start, end } = part
  return {
    status,
    headers: { ...tagged, ...part.headers },
    body: status === 200 ? bytes : slice(bytes, start, end),
  }
}

/** The bytes of a stream from `start` to `end`. */
async function* slice(
  bytes: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of bytes) {
    const from = Math.max(0, start - at)
    const to = Math.min(chunk.length, end + 1 - at)
    if (from < to) yield chunk.subarray(from, to)
    at += chunk.length
    if (at > end) return
  }
}
