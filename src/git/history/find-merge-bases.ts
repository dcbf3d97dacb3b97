import type { Resolver } from '../resolver.ts'
import { compareHistories } from './compare-histories.ts'

// Some 200 MiB.
const MOST = 1_000_000

/**
 * The best common ancestors of several revisions, as `git merge-base --all` finds them: those of the first one and a merge of
 * all others. There are none if their histories have nothing in common.
 *
 * @throws `git-revision-not-found`, `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function findMergeBases(
  { objects, resolve }: Resolver,
  revisions: readonly [string, ...string[]],
): string[] {
  const [first, ...others] = revisions.map((revision) => resolve(revision, 'commit'))
  return compareHistories(objects, first as string, others, MOST).bases.toSorted()
}
