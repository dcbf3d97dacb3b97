import { randomBytes } from 'node:crypto'
import {
  aFunction,
  anOpenDatabase,
  anyOf,
  aPath,
  checkArguments,
  integerFrom,
  oneOf,
  type Shapes,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { lastPart } from '../base/text.ts'
import type { ClientOptions } from '../client/client-options.ts'
import { openSession } from '../client/open-session.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { sha256Of } from '../http/access/accounts.ts'
import type { AccountsFile } from '../http/access/accounts-file.ts'
import type { JsonObject } from '../records/json/json.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { serveArchive } from '../serve/serve-archive.ts'
import type { Change } from '../transform/diff/diff-options.ts'
import { compareFacts } from './compare-facts.ts'
import { addReviews, type Facts, readFacts, type Side } from './read-facts.ts'
import { cloneAddress, readRefs, refsIn } from './read-refs.ts'

/** What to compare with what. */
export interface ValidateOptions extends ClientOptions {
  /** The repository on the server, as owner/name. */
  repository: string
  /** The repository in the archive. Default: the only one, or that of the same name. */
  from?: string | undefined
  /** The number of pull requests whose reviews are read, which takes a request for each; or `all`. Default 200. */
  sample?: number | 'all' | undefined
  /** Called with each side and the kind of facts that is read of it. */
  progress?: ((reading: { side: 'archive' | 'server'; kind: string }) => void) | undefined
}

const SHAPES: Shapes<Omit<ValidateOptions, keyof ClientOptions>> = {
  repository: aPath,
  from: aPath,
  progress: aFunction,
  sample: anyOf('a number or all', integerFrom(0, Number.MAX_SAFE_INTEGER), oneOf('all')),
}

/** How many facts of a kind each side has. */
export interface ValidatedKind {
  /** A kind of records; `repository` or `refs`. */
  kind: string
  /** Facts in the archive. */
  archive: number
  /** Facts on the server. */
  server: number
}

/** The result of a comparison. */
export interface Validation {
  /** The repository in the archive. */
  from: string
  /** No differences. */
  ok: boolean
  /** The numbers of facts that were compared. */
  kinds: ValidatedKind[]
  /** What only the archive has is `removed`, what only the server has `added`. The URL is a key, such as `#12`. */
  differences: Change[]
  /** Records of kinds that the interface does not list, or that were not in the sample: nobody looked at them. */
  notCompared: { kind: string; records: number }[]
}

/**
 * Compares a repository of an archive with the one that an importer made of it, as both are served over REST. Of texts it compares
 * a hash, and lists suffice for everything but reviews; refs are those that Git lists. Waits at rate limits.
 *
 * @param database an open database, in a file
 * @param options the server, as whom to talk to it, the repository there, and the one in the archive
 * @returns the differences, and what could not be compared
 * @throws `repository-not-found` if the archive has none to compare, and the codes of `listMigrations`
 * @example
 * const { ok, differences } = await validateArchive(database, { server: 'github', token, repository: 'ada/kettle' })
 */
export async function validateArchive(
  database: Database,
  options: ValidateOptions,
): Promise<Validation> {
  checkArguments({ database }, { database: anOpenDatabase })
  const session = openSession<ValidateOptions>(options, SHAPES)
  const { repository, sample = 200, progress } = options
  const there = sideOf(repository, session)
  const from = findRepository(database, options)
  const names = [repository, from].map((name) => name.toLowerCase())
  // First the server: it may have no such repository.
  const {
    facts: after,
    textOf: textThere,
    cloneUrl,
  } = await readFacts(there, names, (kind) => progress?.({ side: 'server', kind }))
  progress?.({ side: 'server', kind: 'refs' })
  const refsThere = await readRefs(session, cloneAddress(session, cloneUrl, repository), repository)
  const refsHere = refsIn(database, from)
  const token = randomBytes(20).toString('hex')
  const served = await serveArchive([database.name], {
    state: ':memory:',
    accounts: accountOf(from, token, database),
    signal: options.signal,
  })
  try {
    const own = openSession<ClientOptions>(
      { server: 'http://localhost', token, signal: options.signal },
      {},
      (input, init) => served.fetch(new Request(input, init)),
    )
    const here = sideOf(from, own)
    const { facts: before, textOf: textHere } = await readFacts(here, names, (kind) =>
      progress?.({ side: 'archive', kind }),
    )
    if (refsHere && refsThere) {
      before.set('refs', listed(refsHere))
      after.set('refs', listed(refsThere))
    }
    const pulls = [...(before.get('pull_requests')?.keys() ?? [])]
    const chosen = sample === 'all' ? pulls : spread(pulls, sample)
    progress?.({ side: 'server', kind: 'pull_request_reviews' })
    await addReviews(before, here, chosen, textHere)
    await addReviews(after, there, chosen, textThere)
    const differences = [...compareFacts(before, after)]
    return {
      from,
      ok: differences.length === 0,
      kinds: countKinds(before, after),
      differences,
      notCompared: [
        ...(refsThere ? [] : [{ kind: 'refs', records: refsHere?.size ?? 0 }]),
        ...countOthers(database, from, before),
      ].filter(({ records }) => records > 0),
    }
  } finally {
    await served.close()
  }
}

/** Facts of which each has a key of its own. */
const listed = (facts: ReadonlyMap<string, JsonObject>) =>
  new Map([...facts].map(([key, members]) => [key, [members]]))

function sideOf(name: string | undefined, session: Side['session']): Side {
  const [owner = '', repo = '', ...more] = name?.split('/') ?? []
  if (owner !== '' && repo !== '' && more.length === 0) return { session, owner, repo }
  throw new ArchiveError(
    'option-invalid',
    `repository: expected owner/name, found ${JSON.stringify(name) ?? 'nothing'}`,
  )
}

/** The repository in the archive that was named, or the only one, or the only one of that name. */
function findRepository(database: Database, { repository, from }: ValidateOptions): string {
  const names = database
    .prepare<[], string>('SELECT full_name FROM repositories WHERE full_name IS NOT NULL')
    .pluck()
    .all()
  const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
  const wanted = from ?? repository
  const found =
    names.find((name) => same(name, wanted)) ??
    (from === undefined
      ? [names, names.filter((name) => same(lastPart(name), lastPart(repository)))].find(
          (list) => list.length === 1,
        )?.[0]
      : undefined)
  if (found !== undefined) return found
  const message = `the archive has no repository ${JSON.stringify(wanted)}`
  throw new ArchiveError('repository-not-found', message).about(wanted)
}

/** An account that may see the repository. */
function accountOf(repository: string, token: string, database: Database): AccountsFile {
  const owner = repository.slice(0, repository.indexOf('/'))
  const found = database
    .prepare('SELECT 1 FROM organizations WHERE lower(login) = lower(?)')
    .get(owner)
  const isOrganization = found !== undefined
  const login = isOrganization ? `${randomBytes(8).toString('hex')}` : owner
  return {
    version: 1,
    accounts: [{ login }],
    tokens: [{ login, sha256: sha256Of(token), scopes: ['repo'] }],
    ...(isOrganization && {
      organizations: [{ login: owner, members: [{ login, role: 'admin' }] }],
    }),
  }
}

/** So many of a list, evenly. */
const spread = (list: readonly string[], count: number): string[] =>
  list.length <= count
    ? [...list]
    : Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)] as string)

function countKinds(before: Facts, after: Facts): ValidatedKind[] {
  const count = (facts: Facts, kind: string) =>
    [...(facts.get(kind)?.values() ?? [])].reduce((sum, list) => sum + list.length, 0)
  return [...new Set([...before.keys(), ...after.keys()])].map((kind) => ({
    kind,
    archive: count(before, kind),
    server: count(after, kind),
  }))
}

/** Records of the repository, by kinds, that were not compared. */
function countOthers(
  database: Database,
  repository: string,
  facts: Facts,
): Validation['notCompared'] {
  const compared = new Set(facts.keys())
  const reviews = [...(facts.get('pull_request_reviews')?.values() ?? [])].flat().length
  return Object.entries(KINDS).flatMap(([kind, { derived }]) => {
    if (!('full_name' in derived) || kind === 'repositories') return []
    if (compared.has(kind) && kind !== 'pull_request_reviews') return []
    const records = database
      .prepare<[string], number>(`SELECT count(*) FROM ${quoteName(kind)} WHERE full_name = ?`)
      .pluck()
      .get(repository) as number
    const left = records - (kind === 'pull_request_reviews' ? reviews : 0)
    return left > 0 ? [{ kind, records: left }] : []
  })
}
