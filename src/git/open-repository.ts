import {
  aCount,
  aDate,
  aFlag,
  aText,
  checkArguments,
  checkOptions,
  listOf,
  oneOf,
  type Shapes,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import type { Database } from '../database/open-database.ts'
import { type LogOptions, walkCommits } from './history/walk-commits.ts'
import { findRepository } from './list-repositories.ts'
import { joinChunks } from './objects/inflate.ts'
import { createObjectStore, type ObjectLimits } from './objects/object-store.ts'
import { checkStored } from './objects/repository-files.ts'
import { findEntry, findFile, partsOf, walkTree } from './objects/walk-tree.ts'
import type { ObjectType, StreamedObject } from './parse/git-object.ts'
import type { Commit } from './parse/parse-commit.ts'
import { isSubmodule, typeOfEntry } from './parse/parse-tree.ts'
import { type Ref, readRefs } from './refs/read-refs.ts'
import type { Resolver } from './resolver.ts'
import { resolveRevision } from './revisions/resolve-revision.ts'

/** A file or folder of a commit. Its path is untrusted input: check it before you write to it. */
export interface WalkedEntry {
  /** Path from the root of the tree. */
  path: string
  /** Six octal digits: 100644, 100755, 120000 a link, 040000 a folder, 160000 a submodule. */
  mode: string
  /** `tree` is a folder, `blob` a file or link, `commit` a submodule. */
  type: 'tree' | 'blob' | 'commit'
  /** Id of the object. */
  oid: string
}

/** A Git repository, read in place from a database. */
export interface Repository extends Resolver {
  /** All refs sorted by name, HEAD included. */
  refs(): AsyncGenerator<Ref>
  /** The history of a revision (default HEAD) in the order of `git log`. */
  log(revision?: string, options?: LogOptions): AsyncGenerator<Commit>
  /** Reads a file. Throws `git-revision-not-found`, `git-path-not-found` or `git-too-large`. */
  readFile(revision: string, path: string): Promise<Buffer>
  /**
   * Reads a file in chunks, in constant memory. Damage in a large file is thrown after the chunks before it.
   */
  streamFile(revision: string, path: string): AsyncGenerator<Buffer>
  /** All files and folders of a revision (default HEAD), parents first. */
  walk(revision?: string): AsyncGenerator<WalkedEntry>
}

const OBJECT_TYPES: readonly ObjectType[] = ['commit', 'tree', 'blob', 'tag']

const LOG_SHAPES: Shapes<LogOptions> = {
  paths: listOf(aText),
  since: aDate,
  until: aDate,
  author: aText,
  limit: aCount,
  grep: aText,
  noMerges: aFlag,
}

/**
 * Opens a Git repository in place. Objects are read on demand in bounded memory. The stored configuration and hooks
 * are never used. The repository need not be closed.
 *
 * @param database the database that holds the repository
 * @param name `owner/name`, or `owner/name.wiki`, in any case if unambiguous
 * @param limits.maxObject largest object to read in bytes, 512 MiB by default
 * @returns the repository
 * @throws `repository-not-found`, `record-ambiguous`, `git-unsupported`, `content-missing` or `option-invalid`; its methods throw
 *   `git-revision-not-found`, `git-path-not-found`, `git-object-missing`, `git-object-damaged`, `git-too-large` or
 *   `option-invalid`
 * @example
 * const repository = openRepository(database, 'ada/kettle')
 * for await (const { message } of repository.log('main', { limit: 10 })) show(message)
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
    const tree = resolve(revision, 'tree')
    return objects.stream(findFile(objects, tree, path, { entry: repository }).oid)
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

/** An object, or a submodule, whose commits are in another repository. */
export type FoundObject = StreamedObject | { readonly oid: string; readonly type: 'submodule' }

/**
 * Finds the object at `revision` or `revision:path`. Throws `git-revision-not-found` or
 * `git-path-not-found`.
 */
export function findObject({ objects, resolve }: Repository, named: string): FoundObject {
  const colon = named.indexOf(':')
  if (colon < 0 || named.startsWith(':/')) return objects.stream(resolve(named))
  const path = named.slice(colon + 1)
  const entry = findEntry(objects, resolve(named.slice(0, colon), 'tree'), partsOf(path))
  if (entry === undefined) {
    throw new ArchiveError('git-path-not-found', `there is nothing at ${JSON.stringify(path)}`)
  }
  return isSubmodule(entry) ? { oid: entry.oid, type: 'submodule' } : objects.stream(entry.oid)
}
