import type { ObjectStore } from '../objects/object-store.ts'
import { compareHistories } from './compare-histories.ts'
import { readCommit } from './walk-commits.ts'

/** The commits that the record of a pull request names, if they are in the repository. */
export interface RecordedCommits {
  readonly base: string | null | undefined
  readonly head: string | null | undefined
  readonly merge: string | null | undefined
}

/** The commits of a pull request. */
export interface CommitRange {
  /** The commit where it left its base; undefined if they share none. */
  readonly base: string | undefined
  readonly head: string
  /** Newest first. */
  readonly commits: readonly string[]
}

/**
 * The commits of a pull request: those that its head has and its base has not. If the base was read after the merge, it
 * has all of them already; then the first parent of the merge is taken as the base.
 *
 * @returns undefined if the commits are not in the repository
 * @throws `git-too-large`, `git-object-missing` or `git-object-damaged`
 */
export function pullRequestRange(
  objects: ObjectStore,
  { base, head, merge }: RecordedCommits,
): CommitRange | undefined {
  const isHere = (oid: string | null | undefined): oid is string => !!oid && objects.has(oid)
  if (!isHere(head)) return undefined
  const merged = isHere(merge) ? readCommit(objects, merge).parents[0] : undefined
  for (const from of [base, merged]) {
    if (!isHere(from)) continue
    const { bases, ahead } = compareHistories(objects, from, head)
    if (ahead.length > 0) return { base: bases[0], head, commits: ahead }
  }
  return undefined
}
