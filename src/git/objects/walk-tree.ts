import { ArchiveError, type Place } from '../../base/errors.ts'
import type { GitObject } from '../parse/git-object.ts'
import {
  isFolder,
  isSubmodule,
  parseTree,
  type TreeEntry,
  typeOfEntry,
} from '../parse/parse-tree.ts'
import type { ObjectStore } from './object-store.ts'

/** An entry of a tree or of a tree within it. */
export interface PathEntry extends TreeEntry {
  /** The path as text; untrusted. */
  readonly path: string
  /** The path as one character per byte. */
  readonly pathBytes: string
}

/** The most levels of folders to follow. Hostile trees can be deeper. */
export const DEEPEST = 1_024

/** Yields every entry below a tree, folders before their contents. Throws `git-too-large` for too deep or large trees. */
export function* walkTree(objects: ObjectStore, tree: string): Generator<PathEntry> {
  // An explicit stack instead of recursion, so that depth costs nothing.
  const open = (oid: string, above: { path: string; pathBytes: string; held: number }) => {
    const object = readTree(objects, oid)
    return { ...above, held: holdMore(above.held, object), entries: parseTree(object) }
  }
  const folders = [open(tree, { path: '', pathBytes: '', held: 0 })]
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
    const { held } = folder
    folders.push(open(entry.oid, { path: `${path}/`, pathBytes: `${pathBytes}/`, held }))
  }
}

// The most bytes of trees that are open at a time: a thousand levels of large ones would take gigabytes.
export const MOST_HELD = 64 * 2 ** 20

/** Adds the size of a tree to that of the trees above it. Throws `git-too-large`. */
export function holdMore(held: number, { oid, content }: GitObject, most = MOST_HELD): number {
  const all = held + content.length
  if (all <= most) return all
  const message = `the tree ${oid} and the trees above it have more than ${most} bytes`
  throw new ArchiveError('git-too-large', message)
}

export const tooDeep = (path: string) => {
  const member = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new ArchiveError('git-too-large', `there are more than ${DEEPEST} levels of folders`, {
    member,
  })
}

/** Splits a path into names as one character per byte, as in `TreeEntry.bytes`. */
export const partsOf = (path: string): string[] =>
  Buffer.from(path)
    .toString('latin1')
    .split('/')
    .filter((part) => part !== '' && part !== '.')

/** Finds the entry at a path in a tree; without parts, the tree itself. */
export function findEntry(
  objects: Pick<ObjectStore, 'read'>,
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

/** Finds the file at a path in a tree. Throws `git-path-not-found` with the path and this place. */
export function findFile(
  objects: ObjectStore,
  tree: string,
  path: string,
  place: Place = {},
): TreeEntry {
  const entry = findEntry(objects, tree, partsOf(path))
  if (entry && typeOfEntry(entry) === 'blob') return entry
  const found = entry ? (isSubmodule(entry) ? 'a submodule' : 'a folder') : 'nothing'
  const message = `expected a file at ${JSON.stringify(path)}, found ${found}`
  throw new ArchiveError('git-path-not-found', message, place).about(path)
}

/** Reads a tree. Throws `git-object-damaged` if it is another type of object. */
export function readTree(objects: Pick<ObjectStore, 'read'>, oid: string) {
  const object = objects.read(oid)
  if (object.type === 'tree') return object
  throw new ArchiveError(
    'git-object-damaged',
    `expected ${oid} to be a tree, found a ${object.type}`,
  )
}
