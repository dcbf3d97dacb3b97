import { createHash } from 'node:crypto'
import { stampOf } from '../../server/catalog/index/index-file.ts'
import { isNotModified } from '../../server/http/conditional.ts'
import { rangeOf } from '../../server/http/range.ts'
import type { PageAnswer, PageHandler, PageQuestion } from '../../server/page-handler.ts'
import { openPages, type Pages } from '../open-pages.ts'
import type { PageFile } from '../page.ts'
import { CONTENT_POLICY } from '../parts/layout.ts'
import type { Audience } from '../read/library.ts'

/** Milliseconds between two looks at the databases. */
const LOOK_EVERY = 1000

/**
 * Answers requests with pages of databases. If another program changes one, it is opened anew.
 *
 * @throws `ArchiveError` as `openDatabase`
 */
export function openPageHandler(paths: readonly string[], audience: Audience): PageHandler {
  let pages = openPages(paths, { audience })
  let stamps = paths.map(stampOf)
  let looked = performance.now()
  return {
    async answer(question) {
      refresh()
      return answer(pages, question)
    },
    close: () => pages.close(),
  }

  function refresh(): void {
    if (performance.now() - looked < LOOK_EVERY) return
    looked = performance.now()
    try {
      const now = paths.map(stampOf)
      if (now.every((stamp, i) => stamp === stamps[i])) return
      const anew = openPages(paths, { audience })
      pages.close()
      pages = anew
      stamps = now
    } catch {
      // It is being replaced: what was read before stays until the next look.
    }
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
