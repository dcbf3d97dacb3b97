import { ArchiveError } from '../errors.ts'
import { readTree } from './find-entry.ts'
import type { Objects } from './open-objects.ts'
import { isFolder, parseTree, type TreeEntry } from './parse-tree.ts'

/** A file, link or submodule in a tree, or a folder. */
export interface PlacedEntry extends TreeEntry {
  /** Its path in the tree as text; names in it are not to be trusted. */
  readonly path: string
  /** Its path as it is, a byte a character. */
  readonly pathBytes: string
}

/** So many levels of folders are followed: a tree can be as deep as its author likes. */
export const DEEPEST = 1_024

/** Every entry below a tree, folders before what is in them. Throws `git-too-large` for too many levels. */
export function* walkTree(objects: Objects, tree: string): Generator<PlacedEntry> {
  // Not by recursion, so that depth costs nothing.
  const folders = [
    { path: '', pathBytes: '', entries: parseTree(readTree(objects, tree)).values() },
  ]
  for (let folder = folders.at(-1); folder; folder = folders.at(-1)) {
    const { value: entry, done } = folder.entries.next()
    if (done) {
      folders.pop()
      continue
    }
    const path = folder.path + entry.name
    const pathBytes = folder.pathBytes + entry.bytes
    yield { ...entry, path, pathBytes }
    if (!isFolder(entry)) continue
    if (folders.length === DEEPEST) throw tooDeep(path)
    const entries = parseTree(readTree(objects, entry.oid)).values()
    folders.push({ path: `${path}/`, pathBytes: `${pathBytes}/`, entries })
  }
}

export const tooDeep = (path: string) => {
  const member = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new ArchiveError('git-too-large', `there are more than ${DEEPEST} levels of folders`, {
    member,
  })
}
