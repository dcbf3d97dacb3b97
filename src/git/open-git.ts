import { ArchiveError } from '../base/errors.ts'
import { createLruCache, type LruCache } from '../base/lru-cache.ts'
import type { Database } from '../database/open-database.ts'
import type { ObjectStore } from './objects/object-store.ts'
import { openRepository, type Repository } from './open-repository.ts'
import { isBroken } from './parse/git-object.ts'

/** The Git data of a repository or wiki. */
export interface GitData extends Pick<Repository, 'name' | 'objects' | 'resolve'> {
  readonly database: Database
}

/** Repositories of a database that stay open, with what was read from them. */
const MOST_OPEN = 16
const opened = new WeakMap<Database, LruCache<string, GitData>>()

const FOLDER = 'tarball://root/repositories/'

/**
 * The name under which an archive has the Git data of a repository. A repository that was renamed keeps the folder that its
 * record names.
 *
 * @param address `git_url` or `wiki_url` of the record, which may be anything
 * @param name `owner/name`, or `owner/name.wiki`, for a record without an address
 */
export const gitNameOf = (address: unknown, name: string): string =>
  typeof address === 'string' && address.startsWith(FOLDER) && address.endsWith('.git')
    ? address.slice(FOLDER.length, -'.git'.length)
    : name

/**
 * Opens the Git data of a repository, or finds them open.
 *
 * @param name as `gitNameOf` returns it
 * @returns undefined if the database has none
 * @throws `git-unsupported` or `content-missing`
 */
export function openGit(database: Database, name: string): GitData | undefined {
  const cache = opened.get(database) ?? createLruCache<string, GitData>(MOST_OPEN)
  opened.set(database, cache)
  const known = cache.get(name)
  if (known) return known
  try {
    const git = { ...openRepository(database, name), database }
    cache.set(name, git)
    return git
  } catch (error) {
    const isKnown = error instanceof ArchiveError
    if (isKnown && /^(repository-not-found|record-ambiguous)$/.test(error.code)) return undefined
    throw error
  }
}

/** A value that is kept. */
interface Kept<Value> {
  readonly value: Value
  hasFailed: boolean
}

/**
 * Creates a function that keeps what is made from the objects of a repository, which never change, while it is open. An error, and
 * a promise that rejects, is not kept.
 *
 * @param limit the most values of a repository
 */
export function keep<Value>(limit: number) {
  const all = new WeakMap<ObjectStore, LruCache<string, Kept<Value>>>()
  return ({ objects }: GitData, key: string, make: () => Value): Value => {
    const values = all.get(objects) ?? createLruCache<string, Kept<Value>>(limit)
    all.set(objects, values)
    const known = values.get(key)
    if (known && !known.hasFailed) return known.value
    const kept: Kept<Value> = { value: make(), hasFailed: false }
    values.set(key, kept)
    if (kept.value instanceof Promise) {
      kept.value.catch(() => {
        kept.hasFailed = true
      })
    }
    return kept.value
  }
}

/** Whether Git data are incomplete, damaged, or of a kind that is not read. */
export const isUnreadable = (error: unknown): error is ArchiveError =>
  isBroken(error) ||
  (error instanceof ArchiveError && ['git-unsupported', 'content-missing'].includes(error.code))

/** What `read` returns; undefined if it takes Git data that cannot be read. */
export function unlessUnreadable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}
