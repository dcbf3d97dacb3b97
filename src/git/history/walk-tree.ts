import { ArchiveError } from '../../errors.ts'
import type { GitObject } from '../objects/git-object.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { isFolder, parseTree, type TreeEntry } from '../parse/parse-tree.ts'

/** A file, link or submodule in a tree, or a folder. */
export interface PathEntry extends TreeEntry {
  /** Its path in the tree as text; names in it are not to be trusted. */
  readonly path: string
  /** Its path as it is, a byte a character. */
  readonly pathBytes: string
}

/** So many levels of folders are followed: a tree can be as deep as its author likes. */
export const DEEPEST = 1_024

/** Every entry below a tree, folders before what is in them. Throws `git-too-large` for too many or too large levels. */
export function* walkTree(objects: ObjectStore, tree: string): Generator<PathEntry> {
  // Not by recursion, so that depth costs nothing.
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

// Of all folders around one: a thousand levels of large ones would be gigabytes.
export const MOST_HELD = 64 * 2 ** 20

/** Bytes of the trees around a folder and of one more. Throws `git-too-large`. */
export function holdMore(held: number, { oid, content }: GitObject, most = MOST_HELD): number {
  const all = held + content.length
  if (all <= most) return all
  const message = `with the tree ${oid}, more than ${most} bytes of folders lie in each other`
  throw new ArchiveError('git-too-large', message)
}

export const tooDeep = (path: string) => {
  const member = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new ArchiveError('git-too-large', `there are more than ${DEEPEST} levels of folders`, {
    member,
  })
}

/** The parts of a path in a tree, a byte a character, as names in trees are compared. */
export const partsOf = (path: string): string[] =>
  Buffer.from(path)
    .toString('latin1')
    .split('/')
    .filter((part) => part !== '' && part !== '.')

/** What is at a path in a tree; undefined if nothing is. Without parts it is the tree itself. */
export function findEntry(
  objects: ObjectStore,
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
export function readTree(objects: ObjectStore, oid: string) {
  const object = objects.read(oid)
  if (object.type === 'tree') return object
  throw new ArchiveError(
    'git-object-damaged',
    `expected ${oid} to be a tree, found a ${object.type}`,
  )
}
