import type { ObjectStore } from '../objects/object-store.ts'
import { findInTree, isFolder, type TreeEntry } from '../parse/parse-tree.ts'
import { readTree } from './walk-tree.ts'

/** What is at a path. */
export type PathState = Pick<TreeEntry, 'mode' | 'oid'>

/** Looks a path up in trees. */
export interface PathFinder {
  /** Undefined if there is nothing; of an undefined tree, which is empty, nothing as well. */
  find(tree: string | undefined): PathState | undefined
  /** Whether the path is the same in both trees. Only trees that differ are read. */
  isSame(tree: string | undefined, other: string | undefined): boolean
}

// A tree is looked at twice, soon after each other: with the one of its parent, and with the one of its child.
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
    isSame(tree, other) {
      let [one, two] = [tree, other]
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
  return (tree, other) => finders.every(({ isSame }) => isSame(tree, other))
}
