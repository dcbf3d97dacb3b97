import type { Database } from '../../database/open-database.ts'
import { prepareOnce } from '../../database/prepare-once.ts'
import { type CommitRange, pullRequestRange } from '../../git/history/pull-request-range.ts'
import { readCommit } from '../../git/history/walk-commits.ts'
import { type GitData, gitNameOf, keep, openGit } from '../../git/open-git.ts'
import { isOid } from '../../git/parse/git-object.ts'
import type { Repository } from '../library.ts'
import { Memo } from '../remembered.ts'
import { asInteger } from '../values.ts'
import { type Changes, changesBetween, countLines } from './changes.ts'
import { commitOf, revisionOf } from './revisions.ts'

/** The commits of a pull request, and the trees that they lead from and to. */
export interface PullRange extends CommitRange {
  readonly git: GitData
  /** Undefined for an empty tree: the pull request and its base share no commit. */
  readonly before: string | undefined
  readonly after: string
}

/** What a record says; columns may hold anything. */
type Row = readonly [git_url: unknown, name: unknown, ...rest: RecordedRow]
type RecordedRow = readonly [number: unknown, base: unknown, head: unknown, merge: unknown]

const SELECT = `SELECT r.git_url, p.full_name, p.number, p.base_sha, p.head_sha, p.merge_commit_sha
  FROM pull_requests AS p LEFT JOIN repositories AS r ON r.url = p.repository WHERE p.url = ?`

const remember = keep<PullRange | undefined>(64)

/**
 * The commits of a pull request: from its recorded head, or else the ref `refs/pull/<number>/head`, to where that left the
 * recorded base. `pullRequestRange` says which those are after a merge.
 *
 * @param url URL of the pull request
 * @returns undefined if the commits are not in the archive
 * @throws `git-unsupported`, `content-missing`, `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function pullRangeOf(database: Database, url: string): PullRange | undefined {
  const row = prepareOnce<[string], Row>(database, SELECT).raw().get(url)
  if (!row) return undefined
  const [address, name, ...recorded] = row
  const git = openGit(database, gitNameOf(address, String(name)))
  return git && remember(git, url, () => rangeOf(git, recorded))
}

function rangeOf(git: GitData, [number, ...recorded]: RecordedRow): PullRange | undefined {
  const [base, known, merge] = recorded.map((oid) =>
    typeof oid === 'string' && isOid(oid) ? commitOf(git, oid) : undefined,
  )
  const head = known ?? revisionOf(git, `refs/pull/${number}/head`)?.oid
  const range = pullRequestRange(git.objects, { base, head, merge })
  if (!range) return undefined
  const treeOf = (oid: string) => readCommit(git.objects, oid).tree
  return { ...range, git, before: range.base && treeOf(range.base), after: treeOf(range.head) }
}

/** Commits of a pull request that are listed, as on the host. */
export const LISTED = 250

/** The first commits of a pull request that are listed, oldest first. */
export const listedCommits = ({ commits }: CommitRange): readonly string[] =>
  commits.slice(-LISTED).toReversed()

/** The files that a pull request changes. Throws as `changesBetween` does. */
export const changesOfPull = ({ git, before, after }: PullRange): Changes =>
  changesBetween(git, before, after)

/** How much a pull request changes. */
export interface ChangeCounts {
  readonly commits: number
  /** Null if there are more than are listed. */
  readonly files: number | null
  /** Lines; null if there are more files than are compared, or one of them cannot be read. */
  readonly inserted: number | null
  readonly deleted: number | null
}

const rememberCounts = keep<Promise<ChangeCounts>>(1000)

/** Counts what a pull request changes. Rejects as `changesBetween` throws. */
export const countChanges = (range: PullRange): Promise<ChangeCounts> =>
  rememberCounts(range.git, `${range.base} ${range.head}`, async () => {
    const { files, hasMore } = changesOfPull(range)
    const lines = hasMore ? undefined : await countLines(range.git, files)
    return {
      commits: range.commits.length,
      files: hasMore ? null : files.length,
      inserted: lines?.inserted ?? null,
      deleted: lines?.deleted ?? null,
    }
  })

/** Numbers of the pull requests of a repository that end in a commit, or were merged as one, by commit. */
export const pullsByCommit = ({
  store,
  url,
}: Repository): ReadonlyMap<string, ReadonlySet<number>> =>
  store.remember(BY_COMMIT, url, () => {
    const found = new Map<string, Set<number>>()
    for (const [number, ...oids] of store.rows(ENDS, url)) {
      for (const oid of oids) {
        if (typeof oid !== 'string' || !isOid(oid)) continue
        const numbers = found.get(oid)
        if (numbers) numbers.add(asInteger(number))
        else found.set(oid, new Set([asInteger(number)]))
      }
    }
    return found
  })

const BY_COMMIT = new Memo<ReadonlyMap<string, ReadonlySet<number>>>(({ size }) => 300 * size)

const ENDS = 'SELECT number, merge_commit_sha, head_sha FROM pull_requests WHERE repository = ?'
