import parseRange from 'range-parser'
import { HttpError } from './http-error.ts'
import type { HeaderReader } from './request.ts'

/** A file that is sent. */
interface SentFile {
  readonly size: number
  readonly etag: string
  readonly lastModified?: string
}

/**
 * The part of a file that a request asks for, with the headers that say so: all bytes for none, several or malformed ranges,
 * and if the file is no longer the one that the caller has a part of.
 *
 * @returns the places of its first and last byte
 * @throws `HttpError` 416 for a range beyond the end
 */
export function partOf(
  asked: HeaderReader,
  file: SentFile,
): { status: 200 | 206; start: number; end: number; headers: Readonly<Record<string, string>> } {
  const range = rangeOf(asked, file)
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const headers = { 'Accept-Ranges': 'bytes', 'Content-Length': String(end - start + 1) }
  if (!range) return { status: 200, start, end, headers }
  const place = { 'Content-Range': `bytes ${start}-${end}/${file.size}` }
  return { status: 206, start, end, headers: { ...headers, ...place } }
}

function rangeOf(
  headers: HeaderReader,
  { size, etag, lastModified }: SentFile,
): { start: number; end: number } | undefined {
  const header = headers.get('range')
  // Only a plain range counts. Reading half of any other form would send bytes that were not requested.
  const [plain, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (plain === undefined || (first === '' && last === '')) return undefined
  if (first && last && Number(last) < Number(first)) return undefined
  const condition = headers.get('if-range')
  if (condition !== null && condition !== etag && condition !== lastModified) return undefined
  // The parser refuses a suffix longer than the file, which means the whole file.
  const possible = first === '' ? `bytes=-${Math.min(Number(last), size)}` : plain
  const ranges = parseRange(size, possible)
  if (ranges === -2) return undefined
  if (ranges !== -1) return ranges[0]
  throw new HttpError(416, 'Requested Range Not Satisfiable', {
    headers: { 'Content-Range': `bytes */${size}` },
  })
}
