import { ArchiveError } from '../../base/errors.ts'
import { compareHistories } from '../history/compare-histories.ts'
import type { Resolver } from '../resolver.ts'

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
export function resolveRange(repository: Resolver, range: string): TreeRange {
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
  { objects, resolve }: Resolver,
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
