import { ArchiveError } from '../../errors.ts'
import type { GitObject } from '../objects/git-object.ts'
import { createObjectCache } from '../objects/object-cache.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { type Commit, parseCommit } from '../parse/parse-commit.ts'
import { findInTree, isFolder } from '../parse/parse-tree.ts'
import { partsOf, readTree } from './walk-tree.ts'

export interface LogOptions {
  /** Only commits that changed one of these files or folders; merges that took one side are skipped. */
  paths?: readonly string[] | undefined
  /** Only commits of this time or later; history before it is not followed. */
  since?: Date | undefined
  /** Only commits of this time or earlier. */
  until?: Date | undefined
  /** Only commits whose author, `Name <address>`, has this in it, in capitals or not. */
  author?: string | undefined
  /** So many commits at most. */
  limit?: number | undefined
}

/** The commits that these come from, themselves included, in the order of `git log`: the latest first. */
export function* walkCommits(
  objects: ObjectStore,
  from: readonly string[],
  { limit = Number.POSITIVE_INFINITY, ...options }: LogOptions = {},
): Generator<Commit> {
  // A bit for each commit, however many there are.
  const seen = createOidSet(objects)
  const read = createCommitReader(objects)
  const queue = createCommitQueue(read)
  const add = (oid: string) => {
    if (seen.add(oid)) queue.add(read(oid))
  }
  const isWanted = wanted(options)
  const choose = choiceOf(objects, read, options.paths ?? [])
  const since = secondsOf(options.since) ?? Number.NEGATIVE_INFINITY
  for (const oid of from) add(oid)
  let found = 0
  for (let commit = queue.next(); commit && found < limit; commit = queue.next()) {
    if (timeOf(commit) < since) continue
    const { shown, parents } = choose(commit)
    if (shown && isWanted(commit)) {
      yield commit
      found++
    }
    // Nobody asks for the parents of the last one, and they may be missing.
    if (found < limit) for (const parent of parents) add(parent)
  }
}

const MOST_PARENTS = 100

/** Reads commits, and keeps the last ones: a parent is first looked at and then waits for its turn. */
function createCommitReader(objects: ObjectStore): (oid: string) => Commit {
  const known = new Map<string, Commit>()
  return (oid) => {
    const commit = known.get(oid) ?? readCommit(objects, oid)
    known.set(oid, commit)
    if (known.size > MOST_PARENTS) known.delete(known.keys().next().value as string)
    return commit
  }
}

/** The object with this id, which must be a commit. Throws `git-object-missing` or `git-object-damaged`. */
export function readCommit(objects: ObjectStore, oid: string): Commit {
  const object = objects.read(oid)
  if (object.type === 'commit') return parseCommit(object, objects)
  const message = `expected ${oid} to be a commit, found a ${object.type}`
  throw new ArchiveError('git-object-damaged', message)
}

const secondsOf = (date: Date | undefined) => date && Math.floor(date.getTime() / 1000)
const timeOf = ({ committer }: Commit) => committer.seconds ?? 0

function wanted({ until, author }: LogOptions): (commit: Commit) => boolean {
  const last = secondsOf(until) ?? Number.POSITIVE_INFINITY
  const words = author?.toLowerCase()
  return (commit) => {
    if (timeOf(commit) > last) return false
    if (words === undefined) return true
    return `${commit.author.name} <${commit.author.email}>`.toLowerCase().includes(words)
  }
}

type Choice = (commit: Commit) => { shown: boolean; parents: readonly string[] }

/** What to show and follow where only some paths count: the history that explains how they came to be. */
function choiceOf(
  objects: ObjectStore,
  read: (oid: string) => Commit,
  paths: readonly string[],
): Choice {
  if (paths.length === 0) return ({ parents }) => ({ shown: true, parents })
  const isSame = createPathComparer(objects, paths)
  return ({ tree, parents }) => {
    if (parents.length === 0) return { shown: !isSame(tree, undefined), parents }
    const same = parents.find((parent) => isSame(tree, read(parent).tree))
    return same === undefined ? { shown: true, parents } : { shown: false, parents: [same] }
  }
}

interface Waiting {
  readonly oid: string
  readonly time: number
  /** Its place among all that came. */
  readonly number: number
  /** Undefined where many wait: it is read again, as its message may be large. */
  readonly commit: Commit | undefined
}

const MOST_WHOLE = 1_000

/** Commits by time, the latest first; of one time, in the order in which they came. */
function createCommitQueue(read: (oid: string) => Commit) {
  // A heap: no commit is before the one at half its place.
  const heap: Waiting[] = []
  let added = 0
  const isBefore = (a: Waiting, b: Waiting) =>
    a.time === b.time ? a.number < b.number : a.time > b.time
  const swap = (i: number, j: number) => {
    const one = heap[i] as Waiting
    heap[i] = heap[j] as Waiting
    heap[j] = one
  }
  const sink = () => {
    for (let at = 0; ; ) {
      let first = at
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && isBefore(heap[below] as Waiting, heap[first] as Waiting)) {
          first = below
        }
      }
      if (first === at) return
      swap(at, first)
      at = first
    }
  }
  return {
    add(commit: Commit): void {
      let at = heap.length
      const kept = at < MOST_WHOLE ? commit : undefined
      heap.push({ oid: commit.oid, time: timeOf(commit), number: added++, commit: kept })
      for (let above = (at - 1) >> 1; at > 0; above = (at - 1) >> 1) {
        if (!isBefore(heap[at] as Waiting, heap[above] as Waiting)) return
        swap(at, above)
        at = above
      }
    },
    next(): Commit | undefined {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined) return undefined
      if (heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first.commit ?? read(first.oid)
    },
  }
}

/** Tells whether these files and folders are the same in two trees; undefined is a tree of nothing. */
export function createPathComparer(
  objects: ObjectStore,
  paths: readonly string[],
): (tree: string, other: string | undefined) => boolean {
  const wanted = paths.map((path) => partsOf(path).map((part) => Buffer.from(part, 'latin1')))
  // A tree is compared with those of its parent and of its child.
  const cache = createObjectCache<string, GitObject>()
  const read = (oid: string): GitObject => {
    const known = cache.get(oid)
    if (known) return known
    const tree = readTree(objects, oid)
    cache.set(oid, tree)
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
