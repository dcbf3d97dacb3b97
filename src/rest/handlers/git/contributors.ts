import { setImmediate } from 'node:timers/promises'
import { stepCommits } from '../../../git/history/walk-commits.ts'
import { type GitData, keep } from '../../../git/open-git.ts'
import { isBroken } from '../../../git/parse/git-object.ts'
import { defaultRevision, openReadableGit } from '../../../reading/git/repository-git.ts'
import { foldCase } from '../../../reading/names.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Handler } from '../../request-context.ts'
import { accountOf } from '../../resources/commits.ts'
import type { Rendering } from '../../resources/rendering.ts'
import { inRepository, renderingOf } from '../find-in-path.ts'

/** The most commits that are looked at, the newest first. */
const MOST_COMMITS = 100_000

/** The most addresses of authors that are counted, and that are kept, the busiest first. */
const MOST_COUNTED = 10_000
const MOST_KEPT = 1000

/** The longest name or address. */
const LONGEST = 500

/** Commits after which other requests may run. */
const TURN = 100

/** An address under which commits were written. */
interface Author {
  readonly name: string
  readonly email: string
  commits: number
}

const remember = keep<Promise<Author[]>>(1)

/** Authors of the commits of the default branch; nobody without Git data. */
export const contributors: Handler = inRepository(async (context, repository) => {
  const all = mergeAccounts(renderingOf(context), repository, await authorsOf(repository))
  const isWanted = ['1', 'true'].includes(context.query.get('anon') ?? '')
  const found = isWanted ? all : all.filter(({ type }) => type !== 'Anonymous')
  const items = (offset: number, limit: number) => found.slice(offset, offset + limit)
  return { status: 200, list: { total: found.length, items } }
})

/** Damaged Git data have no authors: what asks for contributors goes on without them. */
async function authorsOf(repository: IndexedRepository): Promise<Author[]> {
  try {
    const git = openReadableGit(repository)
    const oid = git && defaultRevision(repository, git)?.oid
    if (!git || oid === undefined) return []
    return await remember(git, oid, () => countAuthors(git, oid))
  } catch (error) {
    if (isBroken(error)) return []
    throw error
  }
}

/** Counts the commits of each address, from a commit on. History ends where a commit is missing or damaged. */
async function countAuthors({ objects }: GitData, oid: string): Promise<Author[]> {
  const found = new Map<string, Author>()
  let seen = 0
  try {
    for (const commit of stepCommits(objects, [oid], { limit: MOST_COMMITS })) {
      if (++seen % TURN === 0) await setImmediate()
      if (!commit) continue
      const { name, email } = commit.author
      const author = found.get(foldCase(email))
      if (author) author.commits++
      else if (found.size < MOST_COUNTED && name.length + email.length <= LONGEST) {
        // A piece of a text keeps all of it in memory.
        const own = copy(email)
        found.set(foldCase(own), { name: copy(name), email: own, commits: 1 })
      }
    }
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  return [...found.values()].sort((a, b) => b.commits - a.commits).slice(0, MOST_KEPT)
}

const copy = (text: string): string => Buffer.from(text).toString()

/** The accounts of authors with all their commits, and the authors without an account, the busiest first. */
function mergeAccounts(
  rendering: Rendering,
  repository: IndexedRepository,
  authors: readonly Author[],
): JsonObject[] {
  const found = new Map<string, { described: JsonObject; commits: number }>()
  for (const { name, email, commits } of authors) {
    const account = accountOf(rendering, repository, email)
    const described = account ?? { email, name, type: 'Anonymous' }
    const key = account ? String(account.url) : `<${foldCase(email)}>`
    const known = found.get(key)
    if (known) known.commits += commits
    else found.set(key, { described, commits })
  }
  return [...found.values()]
    .sort((a, b) => b.commits - a.commits)
    .map(({ described, commits }) => ({ ...described, contributions: commits }))
}
