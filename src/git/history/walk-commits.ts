import { ArchiveError } from '../../base/errors.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { partsOf } from '../objects/walk-tree.ts'
import type { GitObject } from '../parse/git-object.ts'
import { type Commit, type CommitLinks, parseCommit } from '../parse/parse-commit.ts'
import { createPathComparer } from './path-finder.ts'

/** Which commits a history shows. */
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

/** A commit in an index: its links, and whether it differs from its first parent in some paths. */
export interface IndexedCommit {
  readonly links: CommitLinks
  readonly changed: boolean
}

/** Undefined for a commit that is not in the index. */
export type PathIndex = (oid: string) => IndexedCommit | undefined

interface WalkOptions extends LogOptions {
  /** Only these commits; their parents are followed only to others of them. */
  within?: ReadonlySet<string> | undefined
  /** More paths, each split by `partsOf`: such names need not be UTF-8. */
  parts?: readonly (readonly string[])[] | undefined
  /** An index for the same paths. Without paths, only commits that it calls changed, and those it does not know. */
  pathIndex?: PathIndex | undefined
}

/** Yields these commits and their ancestors in the order of `git log`, latest first. */
export function* walkCommits(
  objects: ObjectStore,
  from: readonly string[],
  options: WalkOptions = {},
): Generator<Commit> {
  for (const commit of stepCommits(objects, from, options)) if (commit) yield commit
}

/** Does the same, but yields undefined for each commit that does not match, so that a long search can pause. */
export function* stepCommits(
  objects: ObjectStore,
  from: readonly string[],
  { limit = Number.POSITIVE_INFINITY, within, pathIndex, parts = [], ...options }: WalkOptions = {},
): Generator<Commit | undefined> {
  // One bit per commit.
  const seen = createOidSet(objects)
  const { commitOf, linksOf } = createCommitReader(objects, pathIndex)
  const queue = createCommitQueue()
  const add = (oid: string) => {
    if (within !== undefined && !within.has(oid)) return
    if (seen.add(oid)) queue.add(linksOf(oid))
  }
  const isWanted = wanted(options)
  const paths = [...(options.paths ?? []).map(partsOf), ...parts]
  const choose = choiceOf(objects, linksOf, paths, pathIndex)
  const since = secondsOf(options.since) ?? Number.NEGATIVE_INFINITY
  for (const oid of from) add(oid)
  let found = 0
  for (let links = queue.next(); links && found < limit; links = queue.next()) {
    if (links.seconds < since) continue
    const { shown, parents } = choose(links)
    const commit = shown ? commitOf(links.oid) : undefined
    if (commit && isWanted(commit)) {
      yield commit
      found++
    } else yield undefined
    // The parents of the last commit are not needed, and may be missing.
    if (found < limit) for (const parent of parents) add(parent)
  }
}

// Bytes of the commits that are kept for a second look.
const KEPT = 2 ** 20

/** Reads commits. */
export interface CommitReader {
  /** The facts about a commit that a walk needs, without its texts. */
  linksOf(oid: string): CommitLinks
  commitOf(oid: string): Commit
}

/**
 * Creates a reader that keeps the last commits: a parent is read for its date, and again when it is its turn. Links are taken
 * from an index that has them.
 */
export function createCommitReader(objects: ObjectStore, index?: PathIndex): CommitReader {
  const cache = new Map<string, Commit>()
  let bytes = 0
  const commitOf = (oid: string): Commit => {
    const known = cache.get(oid)
    if (known) return known
    const object = readCommitObject(objects, oid)
    bytes += object.content.length
    if (bytes > KEPT) {
      cache.clear()
      bytes = object.content.length
    }
    const commit = parseCommit(object, objects)
    cache.set(oid, commit)
    return commit
  }
  return {
    linksOf(oid) {
      const indexed = index?.(oid)
      if (indexed) return indexed.links
      const { tree, parents, committer } = commitOf(oid)
      return { oid, tree, parents, seconds: committer.seconds ?? 0 }
    },
    commitOf,
  }
}

// Some 12 MB.
const MOST_LINKS = 50_000

/** A reader that keeps the links of the first 50,000 commits, for another walk through the same history. */
export function keepLinks(reader: CommitReader): CommitReader {
  const kept = new Map<string, CommitLinks>()
  return {
    ...reader,
    linksOf(oid) {
      const known = kept.get(oid)
      if (known) return known
      const links = reader.linksOf(oid)
      if (kept.size < MOST_LINKS) kept.set(oid, links)
      return links
    },
  }
}

/** Reads a commit. Throws `git-object-missing`, or `git-object-damaged` if it is another type of object. */
export const readCommit = (objects: ObjectStore, oid: string): Commit =>
  parseCommit(readCommitObject(objects, oid), objects)

function readCommitObject(objects: ObjectStore, oid: string): GitObject {
  const object = objects.read(oid)
  if (object.type === 'commit') return object
  const message = `expected ${oid} to be a commit, found a ${object.type}`
  throw new ArchiveError('git-object-damaged', message)
}

const secondsOf = (date: Date | undefined) => date && Math.floor(date.getTime() / 1000)

function wanted({ until, author, grep, noMerges }: LogOptions): (commit: Commit) => boolean {
  const last = secondsOf(until) ?? Number.POSITIVE_INFINITY
  const words = author?.toLowerCase()
  const text = grep?.toLowerCase()
  return (commit) => {
    if ((commit.committer.seconds ?? 0) > last) return false
    if (noMerges && commit.parents.length > 1) return false
    if (text !== undefined && !commit.message.toLowerCase().includes(text)) return false
    if (words === undefined) return true
    return `${commit.author.name} <${commit.author.email}>`.toLowerCase().includes(words)
  }
}

type Choice = (commit: CommitLinks) => { shown: boolean; parents: readonly string[] }

/** Decides which commits to show and which parents to follow, simplifying history as `git log -- <paths>` does. */
function choiceOf(
  objects: ObjectStore,
  linksOf: CommitReader['linksOf'],
  paths: readonly (readonly string[])[],
  pathIndex: PathIndex = () => undefined,
): Choice {
  if (paths.length === 0) {
    return ({ oid, parents }) => ({ shown: pathIndex(oid)?.changed ?? true, parents })
  }
  const isSame = createPathComparer(objects, paths)
  return ({ oid, tree, parents: [first, ...others], parents }) => {
    const changed = pathIndex(oid)?.changed ?? !isSame(tree, first && linksOf(first).tree)
    if (first === undefined) return { shown: changed, parents }
    const same = changed ? others.find((parent) => isSame(tree, linksOf(parent).tree)) : first
    return same === undefined ? { shown: true, parents } : { shown: false, parents: [same] }
  }
}

interface Waiting {
  readonly commit: CommitLinks
  /** Position in the order of insertion. */
  readonly number: number
}

/** A queue of commits, latest first; at equal times in the order of insertion. */
export function createCommitQueue() {
  // A binary heap: no commit is before the one at half its index.
  const heap: Waiting[] = []
  let added = 0
  const isBefore = (a: Waiting, b: Waiting) =>
    a.commit.seconds === b.commit.seconds
      ? a.number < b.number
      : a.commit.seconds > b.commit.seconds
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
    add(commit: CommitLinks): void {
      let at = heap.length
      heap.push({ commit, number: added++ })
      for (let above = (at - 1) >> 1; at > 0; above = (at - 1) >> 1) {
        if (!isBefore(heap[at] as Waiting, heap[above] as Waiting)) return
        swap(at, above)
        at = above
      }
    },
    next(): CommitLinks | undefined {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined) return undefined
      if (heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first.commit
    },
  }
}
