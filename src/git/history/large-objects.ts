import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { changedFiles } from '../diff/compare-trees.ts'
import { listRepositories } from '../list-repositories.ts'
import { createObjectStore, type ObjectStore } from '../objects/object-store.ts'
import { readPackEntry, sizeInPack } from '../objects/pack-entry.ts'
import {
  createFileReader,
  type FileRow,
  type RandomAccessFile,
} from '../objects/random-access-file.ts'
import { readPackEntries } from '../objects/read-whole-index.ts'
import { checkStored, findPacks, gitPath, listObjectFiles } from '../objects/repository-files.ts'
import { BEST_RATIO } from '../objects/reused-inflater.ts'
import { walkTree } from '../objects/walk-tree.ts'
import { isBroken } from '../parse/git-object.ts'
import type { Commit } from '../parse/parse-commit.ts'
import { isSubmodule } from '../parse/parse-tree.ts'
import { readRefs } from '../refs/read-refs.ts'
import { readCommit } from './walk-commits.ts'
import { reachableCommits } from './walk-objects.ts'

interface LargeCommit {
  /** owner/name. */
  repository: string
  oid: string
  /** Bytes of the files that it adds; equal contents count once. */
  size: number
}

/**
 * Yields the commits that add more than `least` bytes of files that none of their parents has. Trees are read only if all
 * objects together are larger. Objects that are missing, damaged or too large to compare are ignored, as are repositories
 * whose contents were not loaded.
 */
export function* largeCommits(database: Database, least: number): Generator<LargeCommit> {
  for (const { repository, state } of listRepositories(database)) {
    const objects = state === 'missing' ? undefined : readableObjects(database, repository)
    if (objects === undefined) continue
    const sizeOf = (oid: string) => orNothing(() => objects.sizeOf(oid), 0)
    if (!isMore(sizesOf(database, repository, sizeOf), least)) continue
    const commits = reachableCommits(objects, readRefs(database, repository), () => {})
    for (const commit of commits) {
      const size = orNothing(() => sizeBrought(objects, commit, sizeOf, least), 0)
      if (size > least) yield { repository, oid: commit.oid, size }
    }
  }
}

/** The objects of a repository, unless they cannot be read. */
function readableObjects(database: Database, repository: string): ObjectStore | undefined {
  try {
    checkStored(database, repository)
    return createObjectStore(database, repository)
  } catch (error) {
    if (error instanceof ArchiveError) return undefined
    throw error
  }
}

type SizeOf = (oid: string) => number

function isMore(sizes: Iterable<number>, least: number): boolean {
  let sum = 0
  for (const size of sizes) {
    sum += size
    if (sum > least) return true
  }
  return false
}

/** The sizes of all objects. Packs are read in order. */
function* sizesOf(database: Database, repository: string, sizeOf: SizeOf): Generator<number> {
  const openFile = createFileReader(database)
  for (const { pack, index } of findPacks(database, gitPath(repository, 'objects/pack/'))) {
    const file = openFile(pack)
    const entries = orNothing(() => readPackEntries(openFile(index)), '')
    if (typeof entries === 'string') continue
    for (const place of entries.order) {
      yield orNothing(() => sizeInPack(file, entries.offsets[place] as number), 0)
    }
  }
  for (const { path } of listObjectFiles(database, repository)) {
    if (!path.startsWith('objects/pack/')) yield sizeOf(path.slice(-41).replace('/', ''))
  }
}

/** The bytes that a commit adds; exact only if more than `least`. */
function sizeBrought(objects: ObjectStore, commit: Commit, sizeOf: SizeOf, least: number): number {
  const parents = commit.parents.map((parent) => readCommit(objects, parent).tree)
  const brought = new Set<string>()
  for (const { after } of changedFiles(objects, parents[0], commit.tree)) {
    if (after && !isSubmodule(after)) brought.add(after.oid)
  }
  if (!isMore(brought.values().map(sizeOf), least)) return 0
  // Moved files, and files from other parents, are not new.
  for (const parent of parents) {
    for (const { oid } of walkTree(objects, parent)) brought.delete(oid)
  }
  return brought.values().reduce((sum, oid) => sum + sizeOf(oid), 0)
}

function orNothing<T>(work: () => T, nothing: T): T {
  try {
    return work()
  } catch (error) {
    if (isBroken(error)) return nothing
    throw error
  }
}

interface LargeObject {
  /** The file it is in. */
  entry: string
  oid: string
  /** Size in bytes; the compressed size if the content of the pack was not stored. */
  size: number
}

/**
 * Yields the objects of all repositories with more than `least` bytes, without inflating any. Deltas are ignored, because
 * their size is unknown.
 */
export function* largestObjects(database: Database, least: number): Generator<LargeObject> {
  const loose = database.prepare<[number], FileRow>(
    `SELECT id, path, size, stored FROM files
     WHERE size > ? AND repository IS NOT NULL AND path GLOB '*.git/objects/??/*'`,
  )
  for (const { path, size } of loose.all(least)) {
    yield { entry: path, oid: path.slice(-41).replace('/', ''), size }
  }
  const packs = database.prepare<[number], FileRow>(
    `SELECT id, path, size, stored FROM files
     WHERE size > ? AND repository IS NOT NULL AND path GLOB '*.git/objects/pack/*.pack'`,
  )
  const indexOf = database.prepare<[string], FileRow>(
    'SELECT id, path, size, stored FROM files WHERE path = ? AND stored ORDER BY id DESC LIMIT 1',
  )
  const openFile = createFileReader(database)
  for (const pack of packs.all(Math.floor(least / BEST_RATIO))) {
    const index = indexOf.get(pack.path.replace(/pack$/, 'idx'))
    if (index) yield* largestIn(pack, openFile(pack), openFile(index), least)
  }
}

function* largestIn(
  { path, size, stored }: FileRow,
  pack: RandomAccessFile,
  index: RandomAccessFile,
  least: number,
): Generator<LargeObject> {
  const entries = readPackEntries(index)
  if (typeof entries === 'string') return
  const { count, order, offsets } = entries
  for (let rank = 0; rank < count; rank++) {
    const place = order[rank] as number
    const start = offsets[place] as number
    const end = rank + 1 < count ? (offsets[order[rank + 1] as number] as number) : size - 20
    if (end - start <= least / BEST_RATIO) continue
    const found = stored ? sizeAt(pack, start) : end - start
    if (found > least) yield { entry: path, oid: entries.oidAt(place), size: found }
  }
}

/** The size of an object that is stored whole; 0 for a delta, and if no object begins here. */
function sizeAt(pack: RandomAccessFile, start: number): number {
  try {
    const { type, size } = readPackEntry(pack, start)
    return type === undefined ? 0 : size
  } catch (error) {
    if (error instanceof ArchiveError) return 0
    throw error
  }
}
