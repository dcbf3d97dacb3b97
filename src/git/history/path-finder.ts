import type { ObjectStore } from '../objects/object-store.ts'
import { readTree } from '../objects/walk-tree.ts'
import { findInTree, isFolder, type TreeEntry } from '../parse/parse-tree.ts'

/** The entry at a path. */
export type PathState = Pick<TreeEntry, 'mode' | 'oid'>

/** Looks a path up in trees. */
export interface PathFinder {
  /** Undefined if there is nothing at the path. An undefined tree is empty. */
  find(tree: string | undefined): PathState | undefined
  /** Whether the path is the same in both trees. Only trees that differ are read. */
  isSame(left: string | undefined, right: string | undefined): boolean
}

// Each tree is compared twice within a short time: with that of the parent, and with that of the child.
const MOST_KNOWN = 10_000
const NOTHING: PathState = { mode: '', oid: '' }

/**
 * Creates a finder of one path. It remembers what it found in the last trees, so that each is read once.
 *
 * @param parts the names of folders and file, one character per byte, as `partsOf` splits them
 */
export function createPathFinder(objects: ObjectStore, parts: readonly string[]): PathFinder {
  const levels = parts.map((part) => ({
    name: Buffer.from(part, 'latin1'),
    known: new Map<string, PathState>(),
  }))
  /** The entry of this level in a tree. */
  const entryAt = (level: number, tree: string | undefined): PathState => {
    const { name, known } = levels[level] as (typeof levels)[number]
    if (tree === undefined) return NOTHING
    const before = known.get(tree)
    if (before) return before
    const found = findInTree(readTree(objects, tree), name) ?? NOTHING
    if (known.size === MOST_KNOWN) known.clear()
    known.set(tree, found)
    return found
  }
  const last = levels.length - 1
  return {
    find(tree) {
      let state: PathState = tree === undefined ? NOTHING : { mode: '040000', oid: tree }
      for (let level = 0; level <= last; level++) {
        if (!isFolder(state)) return undefined
        state = entryAt(level, state.oid)
      }
      return state === NOTHING ? undefined : state
    },
    isSame(left, right) {
      let [one, two] = [left, right]
      for (let level = 0; one !== two; level++) {
        if (level > last) return false
        const [a, b] = [entryAt(level, one), entryAt(level, two)]
        if (level === last) return a.oid === b.oid && a.mode === b.mode
        one = isFolder(a) ? a.oid : undefined
        two = isFolder(b) ? b.oid : undefined
      }
      return true
    },
  }
}

/** Creates a test whether these paths, split by `partsOf`, are equal in two trees; undefined is an empty tree. */
export function createPathComparer(
  objects: ObjectStore,
  paths: readonly (readonly string[])[],
): PathFinder['isSame'] {
  const finders = paths.map((parts) => createPathFinder(objects, parts))
  return (left, right) => finders.every(({ isSame }) => isSame(left, right))
}
