import { ArchiveError } from '../../base/errors.ts'
import { createLruCache } from '../../base/lru-cache.ts'
import { findRenamedFrom } from '../diff/compare-trees.ts'
import { createLineDiffer } from '../diff/diff-lines.ts'
import { splitLines, type TextLines, withoutCommonTail } from '../diff/text-lines.ts'
import { createPathFinder, type PathFinder, type PathState } from '../history/path-finder.ts'
import {
  type CommitReader,
  createCommitQueue,
  createCommitReader,
  type PathIndex,
} from '../history/walk-commits.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { findFile, partsOf } from '../objects/walk-tree.ts'
import type { CommitLinks } from '../parse/parse-commit.ts'
import { isFolder } from '../parse/parse-tree.ts'

/** Lines of a file that come from one commit. */
export interface BlamedLines {
  /** The commit that brought them. */
  readonly oid: string
  /** The path that the file had in that commit. */
  readonly path: string
  /** The first line in the file, from 1. */
  readonly line: number
  /** The first line in that commit, from 1. */
  readonly originalLine: number
  readonly count: number
  /** The commit has no parents, or they are beyond the boundary of a shallow repository. */
  readonly isBoundary: boolean
}

/** Lines of a file, from the first to the last, both from 1. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

interface BlameOptions {
  readonly ranges?: readonly LineRange[] | undefined
  readonly pathIndex?: PathIndex | undefined
  readonly reader?: CommitReader | undefined
}

/** Lines whose commit is not known yet: where they are in the file, and in a version of it. */
interface Entry {
  line: number
  at: number
  count: number
}

/** A version of the file, and the lines that may come from it. */
interface Origin {
  readonly commit: CommitLinks
  readonly path: string
  /** The path as one character per byte. */
  readonly bytes: string
  readonly blob: PathState
  entries: Entry[]
}

const LARGEST = 32 * 2 ** 20
const MOST_LINES = 1_000_000
// Bytes of the versions that are kept for the next comparison.
const KEPT = 16 * 2 ** 20

/**
 * Finds the commit that each line of a file comes from, as `git blame` does: lines are traced through renames of the whole
 * file and into every parent of a merge, but not when they move within a file or between files. Memory: a few versions of
 * the file, and at most 100 bytes per line.
 *
 * @param options.ranges the lines to trace; all by default
 * @param options.pathIndex an index of the path, to pass by commits that did not change it
 * @param options.reader what reads commits
 * @returns the lines in their order
 * @throws `git-path-not-found` if there is no such file; `git-too-large` for a file of more than 32 MiB or a million lines;
 *   `git-object-missing` or `git-object-damaged`
 */
export function blameFile(
  objects: ObjectStore,
  oid: string,
  path: string,
  { ranges, pathIndex, reader = createCommitReader(objects, pathIndex) }: BlameOptions = {},
): BlamedLines[] {
  const { linksOf } = reader
  const finders = new Map<string, PathFinder>()
  const finderOf = (bytes: string): PathFinder => {
    const finder = finders.get(bytes) ?? createPathFinder(objects, bytes.split('/'))
    finders.set(bytes, finder)
    return finder
  }
  const linesOf = createLinesReader(objects)
  const differ = createLineDiffer()
  const queue = createCommitQueue()
  const waiting = new Map<string, Origin[]>()
  const found: BlamedLines[] = []

  const commit = linksOf(oid)
  const blob = findFile(objects, commit.tree, path)
  const bytes = partsOf(path).join('/')
  const { count } = linesOf(blob)
  const wanted = ranges ?? (count > 0 ? [{ first: 1, last: count }] : [])
  const entries = wanted.map(({ first, last }) => ({
    line: first - 1,
    at: first - 1,
    count: Math.min(last, count) - first + 1,
  }))
  wait({ commit, path, bytes, blob, entries })

  for (let next = queue.next(); next; next = queue.next()) {
    const origins = waiting.get(next.oid) ?? []
    waiting.delete(next.oid)
    for (const origin of origins) {
      passToParents(origin)
      for (const { line, at, count } of origin.entries) {
        const isBoundary = next.parents.length === 0
        const one = { oid: next.oid, path: origin.path, count, isBoundary }
        found.push({ ...one, line: line + 1, originalLine: at + 1 })
      }
    }
  }
  return joinNeighbours(found.sort((a, b) => a.line - b.line))

  /** Adds lines to a version that waits. */
  function wait(origin: Origin): void {
    if (origin.entries.length === 0) return
    const others = waiting.get(origin.commit.oid)
    const same = others?.find((other) => other.path === origin.path)
    if (same) same.entries = merge(same.entries, origin.entries)
    else if (others) others.push(origin)
    else {
      waiting.set(origin.commit.oid, [origin])
      queue.add(origin.commit)
    }
  }

  /** Passes the lines that a parent also has on to that parent. */
  function passToParents(origin: Origin): void {
    const [first] = origin.commit.parents
    const isSame = origin.bytes === bytes && pathIndex?.(origin.commit.oid)?.changed === false
    if (isSame && first !== undefined) {
      wait({ ...origin, commit: linksOf(first) })
      origin.entries = []
      return
    }
    const parents = origin.commit.parents.map((parent) => linksOf(parent))
    const versions: (Origin | undefined)[] = parents.map(() => undefined)
    for (const find of [inPlace, renamed]) {
      for (const [i, parent] of parents.entries()) {
        if (versions[i]) continue
        const version = find(parent, origin)
        if (version?.blob.oid === origin.blob.oid) {
          wait({ ...version, entries: origin.entries })
          origin.entries = []
          return
        }
        const isKnown = versions.slice(0, i).some((other) => other?.blob.oid === version?.blob.oid)
        if (version && !isKnown) versions[i] = version
      }
    }
    for (const version of versions) {
      if (version && origin.entries.length > 0) passUnchanged(origin, version)
    }
  }

  function inPlace(commit: CommitLinks, { path, bytes, blob }: Origin): Origin | undefined {
    const there = finderOf(bytes).find(commit.tree)
    if (!there || !isOfType(there, blob)) return undefined
    return { commit, path, bytes, blob: there, entries: [] }
  }

  function renamed(commit: CommitLinks, { bytes, commit: child }: Origin): Origin | undefined {
    const there = finderOf(bytes).find(commit.tree)
    if (there && !isFolder(there)) return undefined
    const source = findRenamedFrom(objects, commit.tree, child.tree, bytes)
    return source && { commit, path: source.path, bytes: source.bytes, blob: source, entries: [] }
  }

  function passUnchanged(origin: Origin, parent: Origin): void {
    const versions = withoutCommonTail(linesOf(parent.blob), linesOf(origin.blob))
    const kept: Entry[] = []
    const passed: Entry[] = []
    let [change, done] = [0, 0]
    const changes = differ(...versions)
    // Lines before the next change have moved by the lines that earlier changes added or removed.
    for (const entry of origin.entries) {
      let [start, rest] = [entry.at, entry.count]
      // Lines of two branches may come from the same lines.
      if (start < done) change = 0
      while (rest > 0) {
        while (change < changes.length && (changes[change]?.newEnd as number) <= start) change++
        const next = changes[change]
        const isChanged = next !== undefined && next.newStart <= start
        const end = isChanged ? next.newEnd : (next?.newStart ?? Number.POSITIVE_INFINITY)
        const count = Math.min(rest, end - start)
        const before = changes[change - 1]
        const at = start + (before ? before.oldEnd - before.newEnd : 0)
        const line = entry.line + start - entry.at
        if (isChanged) kept.push({ line, at: start, count })
        else passed.push({ line, at, count })
        start += count
        rest -= count
      }
      done = start
    }
    origin.entries = kept
    wait({ ...parent, entries: passed })
  }
}

/** Whether both are files or both are links. */
const isOfType = (left: PathState, right: PathState) =>
  left.mode.slice(0, 3) === right.mode.slice(0, 3)

/** Joins two lists of lines that are sorted by their place in one version. */
function merge(left: readonly Entry[], right: readonly Entry[]): Entry[] {
  return [...left, ...right].sort((a, b) => a.at - b.at)
}

/** Joins lines that follow each other in the file and in the commit that they come from. */
function joinNeighbours(lines: readonly BlamedLines[]): BlamedLines[] {
  const joined: BlamedLines[] = []
  for (const one of lines) {
    const last = joined.at(-1)
    const follows =
      last?.oid === one.oid &&
      last.path === one.path &&
      last.line + last.count === one.line &&
      last.originalLine + last.count === one.originalLine
    if (last && follows) joined[joined.length - 1] = { ...last, count: last.count + one.count }
    else joined.push(one)
  }
  return joined
}

/** Creates a reader of the lines of files that keeps the last ones. Throws `git-too-large`. */
function createLinesReader(objects: ObjectStore): (blob: PathState) => TextLines {
  const cache = createLruCache<string, TextLines>(KEPT, ({ content }) => content.length)
  return ({ oid }) => {
    const known = cache.get(oid)
    if (known) return known
    const size = objects.sizeOf(oid)
    if (size > LARGEST) throw tooLarge(`the file has ${size} bytes in one version`, LARGEST)
    const lines = splitLines(objects.read(oid).content)
    if (lines.count > MOST_LINES) throw tooLarge(`the file has ${lines.count} lines`, MOST_LINES)
    cache.set(oid, lines)
    return lines
  }
}

const tooLarge = (message: string, limit: number) =>
  new ArchiveError('git-too-large', `${message}; the limit is ${limit}`)
