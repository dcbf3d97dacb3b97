import type { GitObject } from '../objects/git-object.ts'
import { openKeptObjects } from '../objects/object-cache.ts'
import type { Objects } from '../objects/open-objects.ts'
import { findInTree, isFolder } from '../parse/parse-tree.ts'
import { partsOf, readTree } from './find-entry.ts'

/** Tells whether these files and folders are the same in two trees; undefined is a tree of nothing. */
export function openPathComparison(
  objects: Objects,
  paths: readonly string[],
): (tree: string, other: string | undefined) => boolean {
  const wanted = paths.map((path) => partsOf(path).map((part) => Buffer.from(part, 'latin1')))
  // A tree is compared with those of its parent and of its child.
  const kept = openKeptObjects<string, GitObject>()
  const read = (oid: string): GitObject => {
    const known = kept.get(oid)
    if (known) return known
    const tree = readTree(objects, oid)
    kept.add(oid, tree)
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
