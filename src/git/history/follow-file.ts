import { findRenamedFrom } from '../diff/compare-trees.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { partsOf } from '../objects/walk-tree.ts'
import type { Commit } from '../parse/parse-commit.ts'
import { createPathComparer } from './path-finder.ts'
import { type PathIndex, readCommit, walkCommits } from './walk-commits.ts'

/** A commit that changed a followed file, and the path that the file had in it. */
export interface FollowedCommit {
  readonly commit: Commit
  readonly path: string
}

interface FollowOptions
  extends Omit<NonNullable<Parameters<typeof walkCommits>[2]>, 'paths' | 'limit' | 'pathIndex'> {
  /** Finds an index for each name that the file had. */
  indexOf?: (path: string) => PathIndex | undefined
}

/**
 * Yields the commits that changed a file, newest first, across its renames, as `git log --follow` does: merges are left
 * out, and from a rename on, the old path is followed in all older commits. Copies are not followed.
 *
 * @throws `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function* followFile(
  objects: ObjectStore,
  from: readonly string[],
  file: string,
  { indexOf, ...options }: FollowOptions = {},
): Generator<FollowedCommit> {
  let path = file
  let parts = partsOf(file)
  let isSame = createPathComparer(objects, [parts])
  let index = indexOf?.(path)
  const pathIndex: PathIndex = (oid) => index?.(oid)
  for (const commit of walkCommits(objects, from, { ...options, pathIndex, noMerges: true })) {
    const [parent] = commit.parents
    const before = parent === undefined ? undefined : readCommit(objects, parent).tree
    if (isSame(commit.tree, before)) continue
    yield { commit, path }
    if (before === undefined || !isSame(before, undefined)) continue
    // The file is new here: perhaps it had another name.
    const source = findRenamedFrom(objects, before, commit.tree, parts.join('/'))
    if (!source) continue
    path = source.path
    parts = source.bytes.split('/')
    isSame = createPathComparer(objects, [parts])
    index = indexOf?.(path)
  }
}
