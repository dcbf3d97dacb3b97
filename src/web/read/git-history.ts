import { walkCommits } from '../../git/history/walk-commits.ts'
import { isBroken } from '../../git/objects/git-object.ts'
import type { Repository as GitRepository } from '../../git/open-repository.ts'
import type { Commit } from '../../git/parse/parse-commit.ts'
import { parseNoreply } from '../../git/parse/parse-person.ts'
import { createLruCache } from '../../lru-cache.ts'
import type { Library } from './library.ts'
import { hasPersonPage } from './people.ts'
import type { Store } from './store.ts'

/** Commits that a list goes through at most. */
const LONGEST_WALK = 50_000

/** A history that is read only as far as pages need it. */
interface Walk {
  readonly commits: Generator<Commit>
  readonly oids: string[]
  isDone: boolean
  /** Why it ended before the first commit. */
  isCut: boolean
}

const walks = new WeakMap<GitRepository, ReturnType<typeof createLruCache<string, Walk>>>()
/** Histories of each repository that stay open. */
const MOST_WALKS = 8

/** A page of a history. */
export interface HistoryPage {
  /** Ids of commits, latest first. */
  readonly oids: readonly string[]
  readonly hasNext: boolean
  /** The history goes on, but its objects are missing or damaged, or it is too long. */
  readonly isCut: boolean
}

/** Reads a page of the history of a commit, or of a file or folder. */
export function readHistory(
  git: GitRepository,
  from: string,
  path: string,
  { offset, limit }: { offset: number; limit: number },
): HistoryPage {
  const walk = walkOf(git, from, path)
  const wanted = Math.min(offset + limit + 1, LONGEST_WALK)
  try {
    while (!walk.isDone && walk.oids.length < wanted) {
      const { value, done } = walk.commits.next()
      if (done) walk.isDone = true
      else walk.oids.push(value.oid)
    }
  } catch (error) {
    if (!isBroken(error)) throw error
    walk.isDone = true
    walk.isCut = true
  }
  const oids = walk.oids.slice(offset, offset + limit)
  const hasNext = walk.oids.length > offset + limit
  return { oids, hasNext, isCut: !hasNext && (walk.isCut || walk.oids.length >= LONGEST_WALK) }
}

function walkOf(git: GitRepository, from: string, path: string): Walk {
  const cache = walks.get(git) ?? createLruCache<string, Walk>(MOST_WALKS)
  walks.set(git, cache)
  const key = `${from} ${path}`
  const known = cache.get(key)
  if (known) return known
  const commits = walkCommits(git.objects, [from], path === '' ? {} : { paths: [path] })
  const walk = { commits, oids: [], isDone: false, isCut: false }
  cache.set(key, walk)
  return walk
}

/** The account of an author or committer by the address, or undefined. */
export function loginOfEmail(library: Library, store: Store, email: string): string | undefined {
  const login = accountsOf(store).get(email.toLowerCase()) ?? loginOfNoreply(library, email)
  return login !== undefined && hasPersonPage(library, login) ? login : undefined
}

/** Accounts by their addresses, of which the host says which are their own. */
function accountsOf(store: Store): ReadonlyMap<string, string> {
  return store.remember(
    'accounts by address',
    () => {
      const rows = store.all<{ email: unknown; login: string }>(
        `SELECT json_extract(e.value, '$.address') AS email, u.login
         FROM users AS u, json_each(CASE WHEN json_valid(u.emails) THEN u.emails END) AS e
         WHERE u.login IS NOT NULL AND e.type = 'object' LIMIT ${MOST_ACCOUNTS}`,
      )
      return new Map(
        rows.flatMap(({ email, login }): [string, string][] =>
          typeof email === 'string' ? [[email.toLowerCase(), login]] : [],
        ),
      )
    },
    (map) => map.size * 100,
  )
}

const MOST_ACCOUNTS = 50_000

function loginOfNoreply({ hosts }: Library, email: string): string | undefined {
  const { login, host = '' } = parseNoreply(email) ?? {}
  return hosts.has(host) ? login : undefined
}
