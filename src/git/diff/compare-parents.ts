import { MOST_HELD } from '../history/walk-tree.ts'
import type { Objects } from '../objects/open-objects.ts'
import type { FileState, RawChange } from './change.ts'
import { compareTrees } from './compare-trees.ts'

/** A file of a merge that is as in none of its parents. */
export interface MergeChange {
  /** What became of it since each parent, a letter each: MM, AM, DD, RM. */
  readonly status: string
  readonly path: string
  /** Undefined if it was deleted. */
  readonly after: FileState | undefined
}

/** What of a tree is different from all of these, in the order of the paths: what a merge did itself. */
export function* compareParents(
  objects: Objects,
  parents: readonly string[],
  tree: string,
): Generator<MergeChange> {
  const mostHeld = MOST_HELD / parents.length
  const changes = parents.map((parent) => compareTrees(objects, parent, tree, { mostHeld }))
  // All are in the order of the paths: those that are behind go on until all are at one path.
  let heads = changes.map((each) => each.next().value as RawChange | undefined)
  while (arePresent(heads)) {
    const last = heads.reduce((latest, { bytes }) => (bytes > latest ? bytes : latest), '')
    const [first] = heads
    if (first && heads.every(({ bytes }) => bytes === last)) {
      const status = heads.map((change) => change.status).join('')
      yield { status, path: first.path, after: first.after }
      heads = changes.map((each) => each.next().value as RawChange)
    } else {
      heads = heads.map((head, i) =>
        head.bytes < last ? (changes[i]?.next().value as RawChange) : head,
      )
    }
  }
}

const arePresent = (heads: readonly (RawChange | undefined)[]): heads is RawChange[] =>
  heads.length > 0 && heads.every((head) => head !== undefined)
