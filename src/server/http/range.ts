import parseRange from 'range-parser'
import type { HeaderReader } from '../request-context.ts'
import { HttpError } from './http-error.ts'

/**
 * The range that a request asks for; undefined if it gets all bytes: for none, several or malformed ranges, and if
 * the file is no longer the one that the caller has a part of.
 *
 * @throws `HttpError` 416 for a range beyond the end
 */
export function rangeOf(
  headers: HeaderReader,
  { size, etag, lastModified }: { size: number; etag: string; lastModified?: string },
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
