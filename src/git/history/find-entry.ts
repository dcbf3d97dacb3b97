import { ArchiveError } from '../../errors.ts'
import type { Objects } from '../objects/open-objects.ts'
import { isFolder, parseTree, type TreeEntry } from '../parse/parse-tree.ts'

/** The parts of a path in a tree, a byte a character, as names in trees are compared. */
export const partsOf = (path: string): string[] =>
  Buffer.from(path)
    .toString('latin1')
    .split('/')
    .filter((part) => part !== '' && part !== '.')

/** What is at a path in a tree; undefined if nothing is. Without parts it is the tree itself. */
export function findEntry(
  objects: Objects,
  tree: string,
  parts: readonly string[],
): TreeEntry | undefined {
  let entry: TreeEntry | undefined = { mode: '040000', name: '', bytes: '', oid: tree }
  for (const part of parts) {
    if (entry === undefined || !isFolder(entry)) return undefined
    entry = parseTree(readTree(objects, entry.oid)).find(({ bytes }) => bytes === part)
  }
  return entry
}

/** The object with this id, which must be a tree. Throws `git-object-damaged`. */
export function readTree(objects: Objects, oid: string) {
  const object = objects.read(oid)
  if (object.type === 'tree') return object
  throw new ArchiveError(
    'git-object-damaged',
    `expected ${oid} to be a tree, found a ${object.type}`,
  )
}
