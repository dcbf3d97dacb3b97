import type { HeaderReader } from '../request-context.ts'

/**
 * Whether the caller has this answer already: `If-None-Match` names its ETag, or without that header `If-Modified-Since`
 * is not before its last change.
 */
export function isNotModified(
  headers: HeaderReader,
  etag: string,
  lastModified: Date | undefined,
): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return tags.trim() === '*' || listed(tags).includes(etag)
  const since = headers.get('if-modified-since')
  if (since === null || lastModified === undefined) return false
  const time = Date.parse(since)
  return !Number.isNaN(time) && Math.floor(lastModified.getTime() / 1000) * 1000 <= time
}

/** The strong forms of the ETags of a header. */
const listed = (tags: string): string[] => tags.match(/"[^"]*"/g) ?? []
