import { createHash } from 'node:crypto'
import type { HeaderReader } from './request.ts'

/**
 * Whether the caller has this answer already: `If-None-Match` names its ETag, or without that header `If-Modified-Since`
 * is not before its last change.
 */
function isKnown(headers: HeaderReader, etag: string, lastModified: Date | undefined): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return tags.trim() === '*' || listed(tags).includes(etag)
  const since = headers.get('if-modified-since')
  if (since === null || lastModified === undefined) return false
  const time = Date.parse(since)
  return !Number.isNaN(time) && Math.floor(lastModified.getTime() / 1000) * 1000 <= time
}

/** The strong forms of the ETags of a header. */
const listed = (tags: string): string[] => tags.match(/"[^"]*"/g) ?? []

/** The ETag of content, its quotes included. */
export const etagOf = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`

type Headers = Readonly<Record<string, string>>

/**
 * The answer to a caller who has this already: 304, without a body.
 *
 * @param facts the headers of the whole answer; those that describe its body are left out
 * @param lastModified the time of its last change, where that counts as well
 * @returns undefined for a caller who gets the whole answer
 */
export function notModified(
  asked: HeaderReader,
  facts: Headers & { readonly ETag: string },
  lastModified?: Date,
): { status: 304; headers: Headers } | undefined {
  if (!isKnown(asked, facts.ETag, lastModified)) return undefined
  const headers: Record<string, string> = {}
  for (const name in facts) if (!OF_BODIES.test(name)) headers[name] = facts[name] as string
  return { status: 304, headers }
}

const OF_BODIES = /^Content-(?!Security-Policy)/
