import type { FileState } from './change.ts'
import { compareTrees } from './compare-trees.ts'
import type { Objects } from './open-objects.ts'

/** A file of a merge that is as in none of its parents. */
export interface MergeChange {
  /** What became of it since each parent, a letter each: MM, AM, DD, RM. */
  readonly status: string
  readonly path: string
  /** Undefined if it was deleted. */
  readonly after: FileState | undefined
}

/** What of a tree is different from all of these, in the order of the paths: what a merge did itself. */
export function compareParents(
  objects: Objects,
  parents: readonly string[],
  tree: string,
): MergeChange[] {
  const [first = [], ...others] = parents.map((parent) => compareTrees(objects, parent, tree))
  const byPath = others.map((changes) => new Map(changes.map(({ path, status }) => [path, status])))
  return first
    .filter(({ path }) => byPath.every((statuses) => statuses.has(path)))
    .map(({ status, path, after }) => ({
      status: status + byPath.map((statuses) => statuses.get(path)).join(''),
      path,
      after,
    }))
}
