import { ArchiveError } from '../errors.ts'
import type { Change, FileState, RawChange } from './change.ts'
import { readTree } from './find-entry.ts'
import type { Objects } from './open-objects.ts'
import { openSimilarity } from './open-similarity.ts'
import { pairRenames } from './pair-renames.ts'
import { isFolder, parseTree, type TreeEntry } from './parse-tree.ts'
import { DEEPEST, holdMore, tooDeep } from './walk-tree.ts'

/** What is different between two trees, in the order of the paths. `undefined` is a tree of nothing. */
export function compareTrees(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
): Change[] {
  const changes = [...changedFiles(objects, before, after)]
  return pairRenames(changes, openSimilarity(objects))
    .sort((a, b) => (a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0))
    .map(({ bytes: _, ...change }) => change)
}

/** The same one by one and without renames, in no order worth relying on. */
export function* changedFiles(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
): Generator<RawChange> {
  let count = 0
  for (const change of differences(objects, before, after)) {
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
  /** Bytes of the trees on the way to it. */
  held: number
}

const ROOT: Folder = { path: '', bytes: '', depth: 0, held: 0 }
// Few folders can pretend to be billions, one in the other.
const MOST_CHANGES = 1_000_000

function* differences(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
  folder: Folder = ROOT,
): Generator<RawChange> {
  if (before === after) return
  if (folder.depth > DEEPEST) throw tooDeep(folder.path)
  let { held } = folder
  const entriesOf = (tree: string | undefined) => {
    const entries = new Map<string, TreeEntry>()
    if (tree === undefined) return entries
    const object = readTree(objects, tree)
    held = holdMore(held, object)
    for (const entry of parseTree(object)) entries.set(entry.bytes, entry)
    return entries
  }
  const old = entriesOf(before)
  const now = entriesOf(after)
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [one, other] = [old.get(name), now.get(name)]
    if (one?.oid === other?.oid && one?.mode === other?.mode) continue
    const [file, newFile] = [fileOf(one, folder), fileOf(other, folder)]
    const path = folder.path + (other ?? one)?.name
    const bytes = folder.bytes + name
    // A file in place of a folder, or a folder in place of a file, is one gone and another come.
    if (file && newFile)
      yield { status: statusOf(file, newFile), path, bytes, before: file, after: newFile }
    else if (file) yield { status: 'D', path, bytes, before: file, after: undefined }
    else if (newFile) yield { status: 'A', path, bytes, before: undefined, after: newFile }
    yield* differences(objects, treeOf(one), treeOf(other), {
      path: `${path}/`,
      bytes: `${bytes}/`,
      depth: folder.depth + 1,
      held,
    })
  }
}

const treeOf = (entry: TreeEntry | undefined) => (entry && isFolder(entry) ? entry.oid : undefined)

const fileOf = (entry: TreeEntry | undefined, { path }: Folder): FileState | undefined =>
  entry && !isFolder(entry)
    ? { path: path + entry.name, mode: entry.mode, oid: entry.oid }
    : undefined

// The first half of a mode tells files, links and submodules apart.
const statusOf = (before: FileState, after: FileState) =>
  before.mode.slice(0, 3) === after.mode.slice(0, 3) ? 'M' : 'T'
