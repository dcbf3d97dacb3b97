import { ClientError } from '../client/client-error.ts'
import type { Session } from '../client/open-session.ts'
import { gitOf } from '../client/server-address.ts'
import type { Database } from '../database/open-database.ts'
import type { JsonObject } from '../records/json/json.ts'

/** The longest list of refs. */
const MOST_BYTES = 256 * 2 ** 20

/**
 * The refs of a repository by name, as `git ls-remote` lists them, without those that hosts make of pull requests.
 *
 * @param address the address for clones, as the server says it
 * @param fullName owner/name
 * @returns undefined if the server does not answer Git
 */
export async function readRefs(
  session: Session,
  address: string,
  fullName: string,
): Promise<Refs | undefined> {
  const url = new URL(`${address}/info/refs?service=git-upload-pack`)
  const token = await session.token()
  const words = Buffer.from(`x-access-token:${token}`).toString('base64')
  const headers = token === undefined ? {} : { Authorization: `Basic ${words}` }
  // A redirect could lead the token to another host.
  const asked = { method: 'GET', url, headers, isSigned: true, redirects: 0 } as const
  const { status, body, discard } = await session.send(asked)
  if (status !== 200) {
    discard()
    return status === 404 && (await hasNoBranches(session, fullName)) ? new Map() : undefined
  }
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > MOST_BYTES) throw new ClientError('server-failed', 'the list of refs has no end')
    pieces.push(piece)
  }
  return parseRefs(Buffer.concat(pieces))
}

/** Whether the interface has no branches either: some servers answer Git only for repositories with data. */
async function hasNoBranches(session: Session, fullName: string): Promise<boolean> {
  const [owner = '', repo = ''] = fullName.split('/')
  const query = { per_page: '1' }
  try {
    for await (const _ of session.list('branches', { parameters: { owner, repo }, query }))
      return false
    return true
  } catch (error) {
    // A repository without commits has no list of them.
    if (error instanceof ClientError && [404, 409].includes(error.status ?? 0)) return true
    throw error
  }
}

/** Where a server answers Git for a repository: as it says itself, if that is at its own host. */
export function cloneAddress(session: Session, stated: unknown, fullName: string): string {
  const { origin } = gitOf(session.server)
  const url = typeof stated === 'string' && URL.canParse(stated) ? new URL(stated) : undefined
  return url?.origin === origin ? url.href : `${origin}/${fullName}.git`
}

/** The refs of a repository of a database, as they are in its Git data. */
export function refsIn(database: Database, repository: string): Refs | undefined {
  const hasGit = database.prepare('SELECT 1 FROM files WHERE repository = ? AND role = ? LIMIT 1')
  if (hasGit.get(repository, 'git') === undefined) return undefined
  const rows = database
    .prepare<[string], { name: string; oid: string; peeled: string | null }>(
      'SELECT name, oid, peeled FROM refs WHERE repository = ? AND oid IS NOT NULL ORDER BY name',
    )
    .all(repository)
  const refs: Refs = new Map()
  for (const { name, oid, peeled } of rows) {
    addRef(refs, name, oid)
    if (peeled !== null) addRef(refs, `${name}^{}`, peeled)
  }
  return refs
}

type Refs = Map<string, JsonObject>

/** Adds a ref, or what an annotated tag peels to. */
function addRef(refs: Refs, name: string, id: string): void {
  if (!name.startsWith('refs/') || name.startsWith('refs/pull/')) return
  const tag = name.endsWith('^{}') ? refs.get(name.slice(0, -3)) : undefined
  if (tag) Object.assign(tag, { commit: id, tag: tag.commit })
  else refs.set(name, { commit: id })
}

/** Whether an answer is a plain list, of servers without Git: an id, a tab and a name in each line. */
const isPlain = (bytes: Buffer): boolean =>
  /^[\da-f]{40,64}\t/.test(bytes.toString('latin1', 0, 65))

/** The refs in lines of packets: an id, a name, and capabilities after the first. Undefined for anything else. */
function parseRefs(bytes: Buffer): Refs | undefined {
  const refs: Refs = new Map()
  if (isPlain(bytes)) {
    for (const line of bytes.toString('utf8').split('\n')) {
      const [id = '', name = ''] = line.split('\t')
      addRef(refs, name, id)
    }
    return refs
  }
  for (let at = 0; at < bytes.length; ) {
    const text = bytes.toString('latin1', at, at + 4)
    if (!/^[\da-f]{4}$/.test(text)) return undefined
    const length = Number.parseInt(text, 16)
    const line = bytes.toString('utf8', at + 4, at + length)
    at += Math.max(length, 4)
    const [, id = '', name = ''] = /^([\da-f]{40,64}) ([^\0\n]+)/.exec(line) ?? []
    if (line.startsWith('ERR ')) return undefined
    addRef(refs, name, id)
  }
  return refs
}
