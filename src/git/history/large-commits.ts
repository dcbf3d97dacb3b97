import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { listObjectFiles } from '../clone/list-object-files.ts'
import { changedFiles } from '../diff/compare-trees.ts'
import { listRepositories } from '../list-repositories.ts'
import { checkStored } from '../objects/check-stored.ts'
import { findPacks } from '../objects/find-packs.ts'
import { gitPath } from '../objects/git-path.ts'
import { isBroken } from '../objects/is-broken.ts'
import { type Objects, openObjects } from '../objects/open-objects.ts'
import { sizeInPack } from '../objects/pack-delta.ts'
import { readPackEntries } from '../objects/read-pack-entries.ts'
import { openStoredFiles } from '../objects/stored-file.ts'
import type { Commit } from '../parse/parse-commit.ts'
import { isSubmodule } from '../parse/parse-tree.ts'
import { readRefs } from '../refs/read-refs.ts'
import { reachableCommits } from './reachable-commits.ts'
import { readCommit } from './walk-commits.ts'
import { walkTree } from './walk-tree.ts'

export interface LargeCommit {
  /** owner/name. */
  repository: string
  oid: string
  /** Bytes of the files that it brings, each content once. */
  size: number
}

/**
 * The commits that bring more than `least` bytes of files which none of their parents has. Trees are read only where
 * all objects together are larger. What is missing, damaged or too large to be compared counts for nothing, and so do
 * repositories that were loaded without their contents.
 */
export function* largeCommits(database: Database, least: number): Generator<LargeCommit> {
  for (const { repository, state } of listRepositories(database)) {
    const objects = state === 'missing' ? undefined : openStored(database, repository)
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
function openStored(database: Database, repository: string): Objects | undefined {
  try {
    checkStored(database, repository)
    return openObjects(database, repository)
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

/** The sizes of all objects, those of a pack in their order there, so that it is read from end to end. */
function* sizesOf(database: Database, repository: string, sizeOf: SizeOf): Generator<number> {
  const openFile = openStoredFiles(database)
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

/** Bytes of what a commit brings; looks closer only if that is more than `least`. */
function sizeBrought(objects: Objects, commit: Commit, sizeOf: SizeOf, least: number): number {
  const parents = commit.parents.map((parent) => readCommit(objects, parent).tree)
  const brought = new Set<string>()
  for (const { after } of changedFiles(objects, parents[0], commit.tree)) {
    if (after && !isSubmodule(after)) brought.add(after.oid)
  }
  if (!isMore(brought.values().map(sizeOf), least)) return 0
  // What has moved is not new, nor what comes from another branch.
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
