import { ClientError } from '../client-error.ts'
import { isNotFound } from '../list-migrations.ts'
import { archiveGone } from '../migration.ts'
import type { Session } from '../open-session.ts'
import { refusalOf } from '../read-refusal.ts'
import type { Incoming } from '../send-request.ts'
import { parseRedirect } from '../server-address.ts'
import { isStrongTag, type PartFacts } from './part-file.ts'

/** The parts of an answer to a request for the rest of an archive. */
export type ArchiveAnswer =
  /** All bytes, from the first. */
  | { has: 'all'; incoming: Incoming; etag: string | null; size: number | null }
  /** The bytes after those that are on disk. */
  | { has: 'rest'; incoming: Incoming }
  /** Nothing, because all bytes are on disk. */
  | { has: 'nothing' }
  /** Nothing: the bytes on disk are not a part of this archive. */
  | { has: 'another' }

/**
 * Asks for the address of the archive of a migration. It is a secret that expires.
 *
 * @throws `archive-gone`, and the codes of a session
 */
export async function archiveAddress(session: Session, id: number): Promise<URL> {
  const parameters = { migration_id: id }
  const call = { parameters, redirects: 0 }
  const { headers, url } = await session.call('getUserArchive', call).catch((error: unknown) => {
    throw isNotFound(error) ? archiveGone(id) : error
  })
  return parseRedirect(headers.get('location'), url, session.server)
}

/**
 * Requests the bytes of an archive that are not on disk.
 *
 * @param part what is on disk, and its number of bytes
 * @throws `server-unreachable`, `server-failed`, `rate-limited` or `request-refused`
 */
export async function requestArchive(
  session: Session,
  address: URL,
  part: { readonly size: number; readonly facts: Pick<PartFacts, 'etag' | 'size'> },
): Promise<ArchiveAnswer> {
  const { size: start, facts } = part
  // Without a strong ETag nothing says that the rest belongs to the same bytes.
  const isResumed = start > 0 && facts.etag !== null
  const headers: Record<string, string> = isResumed
    ? { Range: `bytes=${start}-`, 'If-Range': facts.etag as string }
    : {}
  const incoming = await session.send({ method: 'GET', url: address, headers })
  const { status } = incoming
  const give = (answer: ArchiveAnswer) => {
    if (answer.has === 'nothing' || answer.has === 'another') incoming.discard()
    return answer
  }
  const encoding = incoming.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity' && status < 300) {
    incoming.discard()
    throw new ClientError('server-failed', 'the server compressed the archive once more')
  }
  if (status === 200) return give({ has: 'all', incoming, ...factsOf(incoming) })
  if (status === 206 && isResumed) {
    return give(fits(incoming, start, facts) ? { has: 'rest', incoming } : { has: 'another' })
  }
  if (status === 416 && isResumed) {
    const [, total] = /^bytes \*\/(\d{1,15})$/.exec(contentRange(incoming)) ?? []
    const isWhole = Number(total) === start && (facts.size === null || facts.size === start)
    return give({ has: isWhole ? 'nothing' : 'another' })
  }
  incoming.discard()
  const isStale = STALE.includes(status)
  if (!isStale) throw refusalOf({ status, headers: incoming.headers, body: undefined })
  const message = `the address of the archive is refused: status ${status}`
  throw new ClientError('server-failed', message, { status })
}

/** How a store refuses an address, most often because it has expired. */
const STALE = [400, 403, 404]

/** Whether a new address may help. */
export const isStaleAddress = (error: unknown): boolean =>
  error instanceof ClientError &&
  error.code === 'server-failed' &&
  STALE.includes(error.status ?? 0)

const contentRange = ({ headers }: Incoming) => headers.get('content-range') ?? ''

function factsOf({ headers }: Incoming): { etag: string | null; size: number | null } {
  const etag = headers.get('etag')
  const length = headers.get('content-length')
  return {
    etag: etag !== null && isStrongTag(etag) ? etag : null,
    size: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
  }
}

/** Whether a 206 begins where the part ends, and belongs to the same bytes. */
function fits(
  incoming: Incoming,
  start: number,
  { etag, size }: Pick<PartFacts, 'etag' | 'size'>,
): boolean {
  const [, from, to, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(contentRange(incoming)) ?? []
  const told = incoming.headers.get('etag')
  return (
    Number(from) === start &&
    Number(to) === Number(total) - 1 &&
    (size === null || Number(total) === size) &&
    (told === null || told === etag)
  )
}
