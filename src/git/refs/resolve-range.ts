import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { compareHistories } from '../history/compare-histories.ts'
import { pullRequestRange } from '../history/pull-request-range.ts'
import { openRepository, type Repository } from '../open-repository.ts'
import { findRef } from './read-refs.ts'

/** The two sides of a comparison: ids of trees. */
export interface TreeRange {
  readonly from: string
  readonly to: string
}

/**
 * Resolves `A..B` to the trees of both, and `A...B` to those of their merge base and B. An omitted side is HEAD. If there are
 * several merge bases, one of them counts.
 *
 * @throws `git-revision-not-found`, also if two histories have nothing in common; `git-object-missing`,
 *   `git-object-damaged` or `git-too-large`
 */
export function resolveRange(repository: Repository, range: string): TreeRange {
  const [, one = '', dots, other = ''] = /^(.*?)(\.\.\.?)(.*)$/s.exec(range) ?? []
  const [first, second] = [one || 'HEAD', other || 'HEAD']
  const treeOf = (revision: string) => repository.resolve(revision, 'tree')
  if (dots === '..') return { from: treeOf(first), to: treeOf(second) }
  const [before, after] = [first, second].map((side) => repository.resolve(side, 'commit'))
  const [base] = compareHistories(repository.objects, before as string, after as string).bases
  if (base !== undefined) return { from: treeOf(base), to: treeOf(second) }
  const message = `${JSON.stringify(range)}: the histories have nothing in common`
  throw new ArchiveError('git-revision-not-found', message, { entry: repository.name })
}

/**
 * Resolves the commits that a log begins at: of one revision all its history, of `A..B` what B has and A has not.
 *
 * @throws `git-revision-not-found`, `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function resolveLogRange(
  { objects, resolve }: Repository,
  revision: string,
): { from: string[]; within: ReadonlySet<string> | undefined } {
  const [, one = '', other = ''] = /^(.*?)\.\.(?!\.)(.*)$/s.exec(revision) ?? []
  // A message may have dots.
  if (!revision.includes('..') || revision.startsWith(':/')) {
    return { from: [resolve(revision, 'commit')], within: undefined }
  }
  const [before, after] = [resolve(one || 'HEAD', 'commit'), resolve(other || 'HEAD', 'commit')]
  return { from: [after], within: new Set(compareHistories(objects, before, after).ahead) }
}

/** The commits of a pull request. */
export interface PullRequestRange {
  readonly repository: Repository
  /** Where its branch left the base branch. */
  readonly base: string
  readonly head: string
}

interface Row {
  full_name: string | null
  number: number | null
  base_sha: string | null
  head_sha: string | null
  merge_commit_sha: string | null
}

/**
 * Finds the commits of a pull request: its recorded head, or else the ref `refs/pull/<number>/head`, and where that left the
 * recorded base. Compare their trees for its diff.
 *
 * @param url URL of the pull request
 * @throws `git-revision-not-found` if its commits are not in the repository or have nothing in common;
 *   `repository-not-found`, `git-unsupported`, `content-missing`; `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function findPullRequestRange(database: Database, url: string): PullRequestRange {
  const sql = `SELECT full_name, number, base_sha, head_sha, merge_commit_sha FROM pull_requests
    WHERE url = ?`
  const row = database.prepare<[string], Row>(sql).get(url)
  const repository = openRepository(database, row?.full_name ?? '')
  const { objects } = repository
  const isHere = row?.head_sha && objects.has(row.head_sha)
  const ref = `refs/pull/${row?.number}/head`
  const head = isHere ? row.head_sha : findRef(database, repository.name, ref)?.oid
  const recorded = { base: row?.base_sha, head, merge: row?.merge_commit_sha }
  const range = pullRequestRange(objects, recorded)
  if (range?.base !== undefined) return { repository, base: range.base, head: range.head }
  const why = range ? 'its base and head have no history in common' : 'its base or head is missing'
  throw new ArchiveError('git-revision-not-found', `${url}: ${why}`, { entry: repository.name })
}
