import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { refuseLocked } from '../../database/refuse-locked.ts'
import { stampOf } from '../../server/catalog/index/index-file.ts'
import { isNotModified } from '../../server/http/conditional.ts'
import { rangeOf } from '../../server/http/range.ts'
import type { PageAnswer, PageHandler, PageQuestion } from '../../server/page-handler.ts'
import type { CheckReport } from '../check-report.ts'
import { localPathOf } from '../link.ts'
import { openPages, type Pages } from '../open-pages.ts'
import { type Ask, type Failure, failureOf, type PageFile, type PageRequest } from '../page.ts'
import { CONTENT_POLICY } from '../parts/layout.ts'
import type { Audience } from '../read/library.ts'
import { CHECK_LIMITS, runTask, STATEMENT_LIMITS } from './run-task.ts'
import { createSearchIndexes } from './search-indexes.ts'

/** Milliseconds between two looks at the databases. */
const LOOK_EVERY = 1000

/** Milliseconds that a page waits for a program that has a database locked. Other requests wait meanwhile. */
const LOCKED = 50

/**
 * Answers requests with pages of databases. If another program changes one, it is opened anew.
 *
 * @param folder where search indexes are kept for databases that have none; a temporary one without it
 * @throws `ArchiveError` as `openDatabase`
 */
export function openPageHandler(
  paths: readonly string[],
  audience: Audience,
  { folder }: { folder?: string | undefined } = {},
): PageHandler & { pathOf(url: string): string | undefined } {
  const indexes = createSearchIndexes(folder)
  const searchIndex: PageRequest['searchIndex'] = ({ database }) => indexes.of(database)
  const open = (audience: Audience) => {
    const opened = openPages(paths, { audience, ask: askProcess, check: checkOnce(), searchIndex })
    for (const { database } of opened.library.stores) database.pragma(`busy_timeout = ${LOCKED}`)
    return opened
  }
  let pages = open(audience)
  /** The pages for other accounts of this machine, opened at their first request. */
  let forOthers: Pages | undefined
  let stamps = paths.map(stampOf)
  let looked = performance.now()
  return {
    async answer(question) {
      if (isForeign(question))
        return { status: 403, headers: { ...HEADERS, 'Content-Length': '0' } }
      refresh()
      if (audience === 'public' || !question.isOfOtherUser?.()) return answer(pages, question)
      forOthers ??= open('public')
      return answer(forOthers, question)
    },
    pathOf: (url) => localPathOf(pages.library, url),
    close() {
      indexes.close()
      forOthers?.close()
      pages.close()
    },
  }

  function refresh(): void {
    if (performance.now() - looked < LOOK_EVERY) return
    looked = performance.now()
    try {
      const now = paths.map(stampOf)
      if (now.every((stamp, i) => stamp === stamps[i])) return
      refuseLocked(paths)
      const anew = open(audience)
      forOthers?.close()
      forOthers = undefined
      pages.close()
      pages = anew
      stamps = now
    } catch {
      // It is being replaced: what was read before stays until the next look.
    }
  }
}

/** Statements are not run for links of other sites. */
const isForeign = ({ path, headers }: PageQuestion): boolean =>
  /^\/-\/(?:sql|check)(?:$|\/)/.test(path) && headers.get('sec-fetch-site') === 'cross-site'

/** Answers in a process of its own. */
const askProcess: Ask = async (store, sql, parameters) => {
  try {
    const order = { task: 'query', path: store.database.name, sql, parameters } as const
    const outcome = await runTask(order, STATEMENT_LIMITS)
    return 'answer' in outcome ? outcome.answer : { message: 'there is no answer' }
  } catch (error) {
    return failureOf(error)
  }
}

/** Milliseconds that a page waits for a check. */
const PATIENCE = 4_000

/** Runs one check of each database at a time, and keeps what it found. */
function checkOnce(): PageRequest['check'] {
  const running = new Map<string, Promise<CheckReport | Failure>>()
  return async ({ database }) => {
    const path = database.name
    let report = running.get(path)
    if (!report) {
      report = runTask({ task: 'check', path }, CHECK_LIMITS).then(
        (outcome) => ('report' in outcome ? outcome.report : { message: 'there is no report' }),
        failureOf,
      )
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

async function answer(pages: Pages, question: PageQuestion): Promise<PageAnswer> {
  const { path, query, headers } = question
  const found = await pages.render(path, query)
  if ('location' in found) {
    return {
      status: found.status,
      headers: { ...HEADERS, Vary: 'Accept', Location: found.location, 'Content-Length': '0' },
    }
  }
  if ('file' in found) return sendFile(found.file, question)
  const body = Buffer.from(found.html)
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  const all = {
    ...HEADERS,
    'Content-Security-Policy': CONTENT_POLICY,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept',
    ...(found.status === 200 && { ETag: etag }),
    // The header, because a page that reloads itself confuses those who hear it.
    ...(found.view?.again !== undefined && { Refresh: String(found.view.again) }),
  }
  if (found.status === 200 && isNotModified(headers, etag, undefined)) {
    return { status: 304, headers: all }
  }
  return {
    status: found.status,
    headers: {
      ...all,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
    },
    body,
  }
}

function sendFile(file: PageFile, { headers }: PageQuestion): PageAnswer {
  const { type, bytes, etag: name } = file
  const etag = name === undefined ? undefined : `"${name}"`
  const all = {
    ...HEADERS,
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'private, no-cache',
    ...(etag !== undefined && { ETag: etag }),
    ...file.headers,
  }
  if (etag !== undefined && isNotModified(headers, etag, undefined)) {
    return { status: 304, headers: all }
  }
  const size = bytes instanceof Uint8Array ? bytes.length : file.size
  const sized = size === undefined ? {} : { 'Content-Length': String(size) }
  const typed = { ...all, 'Content-Type': type }
  if (size === undefined || etag === undefined || bytes instanceof Uint8Array) {
    return { status: 200, headers: { ...typed, ...sized }, body: bytes }
  }
  const range = rangeOf(headers, { size, etag })
  const ranges = { ...typed, 'Accept-Ranges': 'bytes' }
  if (!range) return { status: 200, headers: { ...ranges, ...sized }, body: bytes }
  const { start, end } = range
  return {
    status: 206,
    headers: {
      ...ranges,
      'Content-Length': String(end - start + 1),
      'Content-Range': `bytes ${start}-${end}/${size}`,
    },
    body: slice(bytes, start, end),
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
