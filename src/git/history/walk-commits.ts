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
  /** Only commits on or after this date; history before it is not followed. */
  since?: Date | undefined
  /** Only commits on or before this date. */
  until?: Date | undefined
  /** Only commits whose author, `Name <address>`, contains this text; case is ignored. */
  author?: string | undefined
  /** Only commits whose message contains this text; case is ignored. */
  grep?: string | undefined
  /** Leave merges out. */
  noMerges?: boolean | undefined
  /** The most commits to return. */
  limit?: number | undefined
}

interface WalkOptions extends LogOptions {
  /** Only these commits; their parents are followed only to others of them. */
  within?: ReadonlySet<string> | undefined
}

/** Yields these commits and their ancestors in the order of `git log`, latest first. */
export function* walkCommits(
  objects: ObjectStore,
  from: readonly string[],
  options: WalkOptions = {},
): Generator<Commit> {
  for (const commit of stepCommits(objects, from, options)) if (commit) yield commit
}

/** The same, with undefined for each commit that was looked at and is not wanted, so that a long search can pause. */
export function* stepCommits(
  objects: ObjectStore,
  from: readonly string[],
  { limit = Number.POSITIVE_INFINITY, within, ...options }: WalkOptions = {},
): Generator<Commit | undefined> {
  // One bit per commit.
  const seen = createOidSet(objects)
  const read = createCommitReader(objects)
  const queue = createCommitQueue(read)
  const add = (oid: string) => {
    if (within !== undefined && !within.has(oid)) return
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
    } else yield undefined
    // The parents of the last commit are not needed, and may be missing.
    if (found < limit) for (const parent of parents) add(parent)
  }
}

const MOST_PARENTS = 100

/** Reads commits and caches the last ones: a parent is read for its date, and again when it is its turn. */
export function createCommitReader(objects: ObjectStore): (oid: string) => Commit {
  const known = new Map<string, Commit>()
  return (oid) => {
    const commit = known.get(oid) ?? readCommit(objects, oid)
    known.set(oid, commit)
    if (known.size > MOST_PARENTS) known.delete(known.keys().next().value as string)
    return commit
  }
}

/** Reads a commit. Throws `git-object-missing`, or `git-object-damaged` if it is another type of object. */
export function readCommit(objects: ObjectStore, oid: string): Commit {
  const object = objects.read(oid)
  if (object.type === 'commit') return parseCommit(object, objects)
  const message = `expected ${oid} to be a commit, found a ${object.type}`
  throw new ArchiveError('git-object-damaged', message)
}

const secondsOf = (date: Date | undefined) => date && Math.floor(date.getTime() / 1000)
const timeOf = ({ committer }: Commit) => committer.seconds ?? 0

function wanted({ until, author, grep, noMerges }: LogOptions): (commit: Commit) => boolean {
  const last = secondsOf(until) ?? Number.POSITIVE_INFINITY
  const words = author?.toLowerCase()
  const text = grep?.toLowerCase()
  return (commit) => {
    if (timeOf(commit) > last) return false
    if (noMerges && commit.parents.length > 1) return false
    if (text !== undefined && !commit.message.toLowerCase().includes(text)) return false
    if (words === undefined) return true
    return `${commit.author.name} <${commit.author.email}>`.toLowerCase().includes(words)
  }
}

type Choice = (commit: Commit) => { shown: boolean; parents: readonly string[] }

/** Decides which commits to show and which parents to follow, simplifying history as `git log -- <paths>` does. */
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
  /** Position in the order of insertion. */
  readonly number: number
  /** Undefined if many are waiting: it is read again, since its message may be large. */
  readonly commit: Commit | undefined
}

const MOST_WHOLE = 1_000

/** A queue of commits, latest first; at equal times in the order of insertion. */
export function createCommitQueue(read: (oid: string) => Commit) {
  // A binary heap: no commit is before the one at half its index.
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

/** Creates a test whether these files and folders are equal in two trees; undefined is an empty tree. */
export function createPathComparer(
  objects: ObjectStore,
  paths: readonly string[],
): (tree: string, other: string | undefined) => boolean {
  const wanted = paths.map((path) => partsOf(path).map((part) => Buffer.from(part, 'latin1')))
  // Each tree is compared twice: with the one of its parent and the one of its child.
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
