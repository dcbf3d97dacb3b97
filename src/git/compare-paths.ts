import { partsOf, readTree } from './find-entry.ts'
import type { GitObject } from './git-object.ts'
import type { Objects } from './open-objects.ts'
import { findInTree, isFolder } from './parse-tree.ts'

// A tree is compared with those of its parent and of its child.
const MOST_TREES = 1_000

/** Tells whether these files and folders are the same in two trees; undefined is a tree of nothing. */
export function openPathComparison(
  objects: Objects,
  paths: readonly string[],
): (tree: string, other: string | undefined) => boolean {
  const wanted = paths.map((path) => partsOf(path).map((part) => Buffer.from(part, 'latin1')))
  const known = new Map<string, GitObject>()
  const read = (oid: string): GitObject => {
    const tree = known.get(oid) ?? readTree(objects, oid)
    known.delete(oid)
    known.set(oid, tree)
    if (known.size > MOST_TREES) known.delete(known.keys().next().value as string)
    return tree
  }
  const isSame = (
    a: string | undefined,
    b: string | undefined,
    [part, ...rest]: readonly Buffer[],
  ): boolean => {
    if (a === b) return true
    if (part === undefined) return false
    const one = a === undefined ? undefined : findInTree(read(a), part)
    const other = b === undefined ? undefined : findInTree(read(b), part)
    if (rest.length === 0) return one?.oid === other?.oid && one?.mode === other?.mode
    const folderOf = (entry: typeof one) => (entry && isFolder(entry) ? entry.oid : undefined)
    return isSame(folderOf(one), folderOf(other), rest)
  }
  return (tree, other) => wanted.every((parts) => isSame(tree, other, parts))
}
