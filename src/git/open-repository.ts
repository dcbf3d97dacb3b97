import {
  aCount,
  aDate,
  aText,
  checkArguments,
  checkOptions,
  listOf,
  oneOf,
  type Shapes,
} from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'
import { type LogOptions, walkCommits } from './history/walk-commits.ts'
import { findEntry, partsOf, walkTree } from './history/walk-tree.ts'
import { findRepository } from './list-repositories.ts'
import type { ObjectType, StreamedObject } from './objects/git-object.ts'
import { joinChunks } from './objects/inflate.ts'
import { createObjectStore, type ObjectLimits, type ObjectStore } from './objects/object-store.ts'
import { checkStored } from './objects/repository-files.ts'
import type { Commit } from './parse/parse-commit.ts'
import { isSubmodule, typeOfEntry } from './parse/parse-tree.ts'
import { type Ref, readRefs } from './refs/read-refs.ts'
import { resolveRevision } from './refs/resolve-revision.ts'

/** A file or folder of a commit. Its name is what an archive says: do not write to it unseen. */
export interface WalkedEntry {
  path: string
  /** Six octal digits: 100644, 100755, 120000 a link, 040000 a folder, 160000 a submodule. */
  mode: string
  type: 'tree' | 'blob' | 'commit'
  oid: string
}

/** A Git repository of a database, read where it lies. */
export interface Repository {
  readonly name: string
  /** What the commands and other functions of this library work on. */
  readonly objects: ObjectStore
  /** The refs in the order of their names, HEAD among them. */
  refs(): AsyncGenerator<Ref>
  /**
   * The id of what a revision names, such as `main~2`, `v1.0^{}` or `1a2b3c4`, or of the commit or tree of it.
   * Throws `git-revision-not-found`.
   */
  resolve(revision: string, type?: ObjectType): string
  /** The commits that a revision comes from, HEAD if none is named, in the order of `git log`. */
  log(revision?: string, options?: LogOptions): AsyncGenerator<Commit>
  /** A file's content. Throws `git-revision-not-found`, `git-path-not-found` or `git-too-large`. */
  readFile(revision: string, path: string): Promise<Buffer>
  /**
   * The same piece by piece, so that memory does not grow with files.
   * A damage in a large file is thrown after the pieces before it.
   */
  streamFile(revision: string, path: string): AsyncGenerator<Buffer>
  /** Every file and folder of a revision, folders before what is in them. */
  walk(revision?: string): AsyncGenerator<WalkedEntry>
}

const OBJECT_TYPES: readonly ObjectType[] = ['commit', 'tree', 'blob', 'tag']

const LOG_SHAPES: Shapes<LogOptions> = {
  ...{ paths: listOf(aText), since: aDate, until: aDate, author: aText, limit: aCount },
}

/**
 * Opens a repository (`owner/name`, or `owner/name.wiki`) of which a database has the files. Packs are not
 * unpacked: what is asked for is read from the pieces they are stored in, so that memory does not grow with
 * them. Nothing that a repository wants to run or to have set is looked at. Throws `repository-not-found`,
 * `git-unsupported` or `content-missing`; what is read later `git-object-missing` or `git-object-damaged`.
 */
export function openRepository(
  database: Database,
  name: string,
  limits: ObjectLimits = {},
): Repository {
  checkOptions(limits, { maxObject: aCount }, 'limits')
  const repository = findRepository(database, name)
  checkStored(database, repository)
  const objects = createObjectStore(database, repository, limits)
  const resolve = (revision: string, type?: ObjectType) => {
    checkArguments({ revision }, { revision: aText })
    if (type !== undefined) checkArguments({ type }, { type: oneOf(...OBJECT_TYPES) })
    return resolveRevision({ database, repository, objects }, revision, type)
  }
  const openFile = (revision: string, path: string): StreamedObject => {
    checkArguments({ path }, { path: aText })
    const entry = findEntry(objects, resolve(revision, 'tree'), partsOf(path))
    const type = entry && typeOfEntry(entry)
    if (entry && type === 'blob') return objects.stream(entry.oid)
    const found = entry ? (isSubmodule(entry) ? 'a submodule' : 'a folder') : 'nothing'
    const message = `expected a file at ${JSON.stringify(path)}, found ${found}`
    throw new ArchiveError('git-path-not-found', message)
  }
  return {
    name: repository,
    objects,
    resolve,
    async *refs() {
      yield* readRefs(database, repository)
    },
    async *log(revision = 'HEAD', options = {}) {
      checkOptions(options, LOG_SHAPES)
      yield* walkCommits(objects, [resolve(revision, 'commit')], options)
    },
    async readFile(revision, path) {
      return joinChunks(openFile(revision, path))
    },
    async *streamFile(revision, path) {
      yield* openFile(revision, path).content
    },
    async *walk(revision = 'HEAD') {
      for (const entry of walkTree(objects, resolve(revision, 'tree'))) {
        const { path, mode, oid } = entry
        yield { path, mode, type: typeOfEntry(entry), oid }
      }
    },
  }
}

/** An object as it was asked for, or a submodule, whose commits are elsewhere. */
export type FoundObject = StreamedObject | { readonly oid: string; readonly type: 'submodule' }

/**
 * The object that `revision` or `revision:path` names. Throws `git-revision-not-found` or
 * `git-path-not-found`.
 */
export function findObject({ objects, resolve }: Repository, named: string): FoundObject {
  const colon = named.indexOf(':')
  if (colon < 0) return objects.stream(resolve(named))
  const path = named.slice(colon + 1)
  const entry = findEntry(objects, resolve(named.slice(0, colon), 'tree'), partsOf(path))
  if (entry === undefined) {
    throw new ArchiveError('git-path-not-found', `there is nothing at ${JSON.stringify(path)}`)
  }
  return isSubmodule(entry) ? { oid: entry.oid, type: 'submodule' } : objects.stream(entry.oid)
}
