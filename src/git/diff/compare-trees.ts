import { ArchiveError } from '../../errors.ts'
import { DEEPEST, holdMore, MOST_HELD, readTree, tooDeep } from '../history/walk-tree.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { isFolder, parseTree, type TreeEntry } from '../parse/parse-tree.ts'
import type { FileState, RawChange } from './change.ts'
import { pairRenames } from './pair-renames.ts'
import { createSimilarity } from './similarity.ts'

/** Files that are gone and that came, among which renamed ones are looked for in memory, and bytes of their paths. */
const MOST_MOVED = 200_000
const MOST_MOVED_BYTES = 24 * 2 ** 20
// Few folders can pretend to be billions, one in the other.
const MOST_CHANGES = 2_000_000
// So many are kept; of more the trees are walked again, which takes longer and no memory.
const KEPT = 1_000
const CACHE_BYTES = 2 ** 20

/**
 * What is different between two trees, in the order of the paths, each as it is asked for. `undefined` is a tree of
 * nothing. Throws `git-too-large` for more than 2 million changes, and for more than 200,000 files among which renamed
 * ones would have to be looked for.
 */
export function* compareTrees(
  objects: ObjectStore,
  before: string | undefined,
  after: string | undefined,
  { mostHeld }: { mostHeld?: number } = {},
): Generator<RawChange> {
  const walk = () => changedFiles(objects, before, after, { mostHeld })
  const kept: RawChange[] = []
  const count = { all: 0, gone: 0, come: 0, bytes: 0, movedBytes: 0 }
  for (const change of walk()) {
    count.all++
    count.bytes += change.bytes.length
    if (count.all <= KEPT && count.bytes <= CACHE_BYTES) kept.push(change)
    if (isMoved(change)) count.movedBytes += change.bytes.length
    if (change.status === 'D') count.gone++
    if (change.status === 'A') count.come++
  }
  const mayMove = count.gone > 0 && count.come > 0
  if (mayMove) checkMoved(count)
  const isKept = kept.length === count.all
  if (!isKept) kept.length = 0
  if (!mayMove) {
    yield* isKept ? kept : walk()
    return
  }
  const moved = (isKept ? kept : [...walk().filter(isMoved)]) as RawChange[]
  const paired = pairRenames(moved, createSimilarity(objects))
  if (isKept) yield* paired
  else yield* merge(walk(), paired)
}

function checkMoved({ gone, come, movedBytes }: Record<'gone' | 'come' | 'movedBytes', number>) {
  if (gone + come <= MOST_MOVED && movedBytes <= MOST_MOVED_BYTES) return
  const message = `${gone} files are gone and ${come} came: renamed ones are looked for among ${MOST_MOVED} with ${MOST_MOVED_BYTES} bytes of paths`
  throw new ArchiveError('git-too-large', message)
}

const isMoved = ({ status }: RawChange): boolean => status === 'A' || status === 'D'

/** All changes, with those that came or are gone as they were paired; both are in the order of the paths. */
function* merge(all: Iterable<RawChange>, paired: readonly RawChange[]): Generator<RawChange> {
  let next = 0
  for (const change of all) {
    if (!isMoved(change)) yield change
    else if (paired[next]?.bytes === change.bytes) yield paired[next++] as RawChange
    // What was renamed is no more under its former name.
  }
}

/** The same one by one and without renames. */
export function* changedFiles(
  objects: ObjectStore,
  before: string | undefined,
  after: string | undefined,
  { mostHeld = MOST_HELD }: { mostHeld?: number | undefined } = {},
): Generator<RawChange> {
  let count = 0
  const root = { path: '', bytes: '', depth: 0, held: 0, mostHeld }
  for (const change of differences(objects, before, after, root)) {
    if (++count > MOST_CHANGES) {
      const message = `there are more than ${MOST_CHANGES} files to compare`
      throw new ArchiveError('git-too-large', message)
    }
    yield change
  }
}

interface Folder {
  path: string
  bytes: string
  depth: number
  /** Bytes of the trees on the way to it, and how many they may be. */
  held: number
  mostHeld: number
}

function* differences(
  objects: ObjectStore,
  before: string | undefined,
  after: string | undefined,
  folder: Folder,
): Generator<RawChange> {
  if (before === after) return
  if (folder.depth > DEEPEST) throw tooDeep(folder.path)
  let { held } = folder
  const entriesOf = (tree: string | undefined) => {
    if (tree === undefined) return NONE[Symbol.iterator]()
    const object = readTree(objects, tree)
    held = holdMore(held, object, folder.mostHeld)
    return parseTree(object)
  }
  for (const [one, other] of sideBySide(entriesOf(before), entriesOf(after))) {
    if (one?.oid === other?.oid && one?.mode === other?.mode) continue
    const entry = (other ?? one) as TreeEntry
    const path = folder.path + entry.name
    // Most paths are ASCII, and kept once.
    const isPlain = entry.bytes === entry.name && folder.bytes === folder.path
    const bytes = isPlain ? path : folder.bytes + entry.bytes
    const [file, newFile] = [fileOf(one, path), fileOf(other, path)]
    if (file && newFile)
      yield { status: statusOf(file, newFile), path, bytes, before: file, after: newFile }
    else if (file) yield { status: 'D', path, bytes, before: file, after: undefined }
    else if (newFile) yield { status: 'A', path, bytes, before: undefined, after: newFile }
    yield* differences(objects, treeOf(one), treeOf(other), {
      ...{ ...below(path, bytes), depth: folder.depth + 1 },
      ...{ held, mostHeld: folder.mostHeld },
    })
  }
}

const NONE: readonly TreeEntry[] = []

type Pair = readonly [TreeEntry | undefined, TreeEntry | undefined]

/**
 * The entries of two trees, those of one name together. Both come in the order of Git, for which the name of a folder
 * ends with a slash: so a file in place of a folder is one gone and another come, and paths are in order throughout.
 */
function* sideBySide(one: Iterator<TreeEntry>, other: Iterator<TreeEntry>): Generator<Pair> {
  let a = one.next().value as TreeEntry | undefined
  let b = other.next().value as TreeEntry | undefined
  while (a || b) {
    const [left, right] = [a && keyOf(a), b && keyOf(b)]
    const order = left === undefined ? 1 : right === undefined ? -1 : compare(left, right)
    yield [order <= 0 ? a : undefined, order >= 0 ? b : undefined]
    if (order <= 0) a = one.next().value
    if (order >= 0) b = other.next().value
  }
}

const keyOf = (entry: TreeEntry) => (isFolder(entry) ? `${entry.bytes}/` : entry.bytes)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const treeOf = (entry: TreeEntry | undefined) => (entry && isFolder(entry) ? entry.oid : undefined)

const fileOf = (entry: TreeEntry | undefined, path: string): FileState | undefined =>
  entry && !isFolder(entry) ? { path, mode: entry.mode, oid: entry.oid } : undefined

function below(path: string, bytes: string): Pick<Folder, 'path' | 'bytes'> {
  const folder = `${path}/`
  return { path: folder, bytes: bytes === path ? folder : `${bytes}/` }
}

// The first half of a mode tells files, links and submodules apart.
const statusOf = (before: FileState, after: FileState) =>
  before.mode.slice(0, 3) === after.mode.slice(0, 3) ? 'M' : 'T'

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
  objects: ObjectStore,
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
