import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { findMergeBases } from '../history/find-merge-bases.ts'
import { openRepository, type Repository } from '../open-repository.ts'
import { findRef } from './read-refs.ts'

/** The two sides of a comparison: ids of trees. */
export interface TreeRange {
  readonly from: string
  readonly to: string
}

/**
 * Resolves `A..B` to the trees of both, and `A...B` to those of their merge base and B. An omitted side is HEAD. If there are
 * several merge bases, the one with the smallest id counts.
 *
 * @throws `git-revision-not-found`, also if two histories have nothing in common; `git-object-missing`,
 *   `git-object-damaged` or `git-too-large`
 */
export async function resolveRange(
  database: Database,
  repository: Repository,
  range: string,
): Promise<TreeRange> {
  const [, one = '', dots, other = ''] = /^(.*?)(\.\.\.?)(.*)$/s.exec(range) ?? []
  const [first, second] = [one || 'HEAD', other || 'HEAD']
  const treeOf = (revision: string) => repository.resolve(revision, 'tree')
  if (dots === '..') return { from: treeOf(first), to: treeOf(second) }
  const [base] = await findMergeBases(database, repository, [first, second])
  if (base !== undefined) return { from: treeOf(base), to: treeOf(second) }
  const message = `${JSON.stringify(range)}: the histories have nothing in common`
  throw new ArchiveError('git-revision-not-found', message, { entry: repository.name })
}

/** The commits of a pull request. */
export interface PullRequestRange {
  readonly repository: Repository
  /** Where its branch left the base branch: the merge base of the recorded base and head. */
  readonly base: string
  readonly head: string
}

interface Row {
  full_name: string | null
  number: number | null
  base_sha: string | null
  head_sha: string | null
}

/**
 * Finds the commits of a pull request: the recorded head, or else the ref `refs/pull/<number>/head`, and its merge base with
 * the recorded base. Compare their trees for its diff.
 *
 * @param url URL of the pull request
 * @throws `git-revision-not-found` if the record names no commits or there is no merge base; `repository-not-found`,
 *   `git-unsupported`, `content-missing`; `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export async function findPullRequestRange(
  database: Database,
  url: string,
): Promise<PullRequestRange> {
  const sql = 'SELECT full_name, number, base_sha, head_sha FROM pull_requests WHERE url = ?'
  const row = database.prepare<[string], Row>(sql).get(url)
  const name = row?.full_name ?? ''
  const repository = openRepository(database, name)
  const ref = `refs/pull/${row?.number}/head`
  const isHere = (oid: string | null | undefined) => oid && repository.objects.has(oid)
  const head = isHere(row?.head_sha)
    ? row?.head_sha
    : (findRef(database, repository.name, ref)?.oid ?? row?.head_sha)
  if (!head || !row?.base_sha) {
    const message = `the record of ${url} names no ${head ? 'base' : 'head'} commit`
    throw new ArchiveError('git-revision-not-found', message, { entry: repository.name })
  }
  const [base] = await findMergeBases(database, repository, [row.base_sha, head])
  if (base !== undefined) return { repository, base, head }
  const message = `the base ${row.base_sha} and the head ${head} have no history in common`
  throw new ArchiveError('git-revision-not-found', message, { entry: repository.name })
}
