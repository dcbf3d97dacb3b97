import { ArchiveError } from '../../base/errors.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { DEEPEST, holdMore, MOST_HELD, readTree, tooDeep } from '../objects/walk-tree.ts'
import { isFolder, pairEntries, type TreeEntry } from '../parse/parse-tree.ts'
import { type FileState, pairRenames, type RawChange } from './pair-renames.ts'
import { createSimilarity } from './similarity.ts'

/** Limits of rename detection, which works in memory: deleted and added files, and bytes of their paths. */
const MOST_MOVED = 200_000
const MOST_MOVED_BYTES = 24 * 2 ** 20
// A few nested trees can expand to billions of files.
const MOST_CHANGES = 2_000_000
// Up to this many changes are kept in memory. With more, the trees are walked again.
const KEPT = 1_000
const CACHE_BYTES = 2 ** 20

/**
 * Yields the differences between two trees, sorted by path. `undefined` is an empty tree. Throws `git-too-large` for more
 * than 2 million changes, and if more than 200,000 deleted and added files would have to be searched for renames.
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

/**
 * Finds the file that a new file was before, among those that were deleted with its coming, as `git log --follow` and
 * `git blame` do. Undefined if there is none, or more than 200,000 were deleted. Throws as `changedFiles` does.
 *
 * @param bytes the path of the new file, one character per byte
 */
export function findRenamedFrom(
  objects: ObjectStore,
  before: string | undefined,
  after: string,
  bytes: string,
): FileState | undefined {
  const moved: RawChange[] = []
  const count = { gone: 0, come: 0, movedBytes: 0 }
  for (const change of changedFiles(objects, before, after)) {
    if (change.status === 'D') count.gone++
    else if (change.status === 'A' && change.bytes === bytes) count.come++
    else continue
    count.movedBytes += change.bytes.length
    if (isTooMuch(count)) return undefined
    moved.push(change)
  }
  if (count.come === 0 || count.gone === 0) return undefined
  const paired = pairRenames(moved, createSimilarity(objects))
  return paired.find((change) => change.bytes === bytes)?.before
}

const isTooMuch = ({ gone, come, movedBytes }: Record<'gone' | 'come' | 'movedBytes', number>) =>
  gone + come > MOST_MOVED || movedBytes > MOST_MOVED_BYTES

function checkMoved(count: Record<'gone' | 'come' | 'movedBytes', number>) {
  if (!isTooMuch(count)) return
  const { gone, come } = count
  const message = `${gone} files were deleted and ${come} added; renames are detected among at most ${MOST_MOVED} with ${MOST_MOVED_BYTES} bytes of paths`
  throw new ArchiveError('git-too-large', message)
}

const isMoved = ({ status }: RawChange): boolean => status === 'A' || status === 'D'

/** Replaces deletions and additions by what they were paired to. Both lists are sorted by path. */
function* merge(all: Iterable<RawChange>, paired: readonly RawChange[]): Generator<RawChange> {
  let next = 0
  for (const change of all) {
    if (!isMoved(change)) yield change
    else if (paired[next]?.bytes === change.bytes) yield paired[next++] as RawChange
    // The old name of a renamed file is skipped.
  }
}

/** Yields the differences without detecting renames. Throws `git-too-large` for more than 2 million. */
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
  /** Bytes of the trees above it, and their limit. */
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
  const open = (tree: string | undefined) => {
    if (tree === undefined) return undefined
    const object = readTree(objects, tree)
    held = holdMore(held, object, folder.mostHeld)
    return object
  }
  for (const [one, other] of pairEntries(open(before), open(after))) {
    if (one?.oid === other?.oid && one?.mode === other?.mode) continue
    const entry = (other ?? one) as TreeEntry
    const path = folder.path + entry.name
    // Most paths are ASCII: both forms are then one string.
    const isPlain = entry.bytes === entry.name && folder.bytes === folder.path
    const bytes = isPlain ? path : folder.bytes + entry.bytes
    const [file, newFile] = [fileOf(one, path, bytes), fileOf(other, path, bytes)]
    if (file && newFile)
      yield { status: statusOf(file, newFile), path, bytes, before: file, after: newFile }
    else if (file) yield { status: 'D', path, bytes, before: file, after: undefined }
    else if (newFile) yield { status: 'A', path, bytes, before: undefined, after: newFile }
    yield* differences(objects, treeOf(one), treeOf(other), {
      ...below(path, bytes),
      depth: folder.depth + 1,
      held,
      mostHeld: folder.mostHeld,
    })
  }
}

const treeOf = (entry: TreeEntry | undefined) => (entry && isFolder(entry) ? entry.oid : undefined)

const fileOf = (
  entry: TreeEntry | undefined,
  path: string,
  bytes: string,
): FileState | undefined =>
  entry && !isFolder(entry) ? { path, bytes, mode: entry.mode, oid: entry.oid } : undefined

function below(path: string, bytes: string): Pick<Folder, 'path' | 'bytes'> {
  const folder = `${path}/`
  return { path: folder, bytes: bytes === path ? folder : `${bytes}/` }
}

// The first half of a mode is the type: file, link or submodule.
const statusOf = (before: FileState, after: FileState) =>
  before.mode.slice(0, 3) === after.mode.slice(0, 3) ? 'M' : 'T'

/** A file of a merge that differs from all parents. */
export interface MergeChange {
  /** The status relative to each parent, one letter each: MM, AM, DD, RM. */
  readonly status: string
  readonly path: string
  /** Undefined if it was deleted. */
  readonly after: FileState | undefined
}

/** Yields the files of a tree that differ from all parents, sorted by path: the changes made by the merge itself. */
export function* compareParents(
  objects: ObjectStore,
  parents: readonly string[],
  tree: string,
): Generator<MergeChange> {
  const mostHeld = MOST_HELD / parents.length
  const changes = parents.map((parent) => compareTrees(objects, parent, tree, { mostHeld }))
  // All are sorted by path: advance those that are behind until all are at the same path.
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
