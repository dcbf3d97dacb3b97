import { ArchiveError } from '../../base/errors.ts'
import { createLruCache } from '../../base/lru-cache.ts'
import type { Database } from '../../database/open-database.ts'
import { compareHistories } from '../../git/history/compare-histories.ts'
import { readCommit } from '../../git/history/walk-commits.ts'
import { createObjectStore, type ObjectStore } from '../../git/objects/object-store.ts'
import { checkStored } from '../../git/objects/repository-files.ts'
import type { GitObject } from '../../git/parse/git-object.ts'
import { subjectOf } from '../../git/parse/parse-commit.ts'
import { timeOf } from '../../git/parse/parse-person.ts'
import { peel } from '../../git/revisions/resolve-revision.ts'
import type { ChangedRef } from './changed-files.ts'
import type { CommitDetail, MovedCommit, MovedCommits } from './diff-options.ts'

const MOST_LISTED = 1000
/** Commits that are read for all refs together: each of many refs may have moved over all of a long history. */
const MOST_READ = 1_000_000

/**
 * Creates a function that finds the commits that a moved ref gained and lost, in the objects of both databases; undefined if
 * they are not all there, more than a hundred thousand have to be compared, or more than `limit` were read for other refs.
 */
export function createMovedCommits(
  databases: readonly [Database, Database],
  detail: CommitDetail,
  limit = MOST_READ,
): (ref: ChangedRef) => MovedCommits | undefined {
  let left = limit
  const onRead = () => void left--
  let last: { repository: string; objects: ObjectStore | undefined } | undefined
  const objectsOf = (repository: string): ObjectStore | undefined => {
    if (last?.repository !== repository) {
      last = { repository, objects: joinObjects(databases, repository, onRead) }
    }
    return last.objects
  }
  return ({ repository, before, after }) => {
    const [old, now] = [before?.oid, after?.oid]
    if (detail === 'none' || !old || !now || old === now || left < 0) return undefined
    // A ref that names another moves with it.
    if (before?.target && before.target === after?.target) return undefined
    return ifReadable(() => {
      const objects = objectsOf(repository)
      return objects && compareCommits(objects, [old, now], detail)
    })
  }
}

/** The objects of a repository; undefined if they were not stored, or are in a form that is not read. */
export const openObjects = (database: Database, repository: string): ObjectStore | undefined =>
  ifReadable(() => {
    checkStored(database, repository)
    return createObjectStore(database, repository)
  })

/**
 * The result of a function; undefined if it needs objects that are missing, damaged, too many, or in an unsupported
 * form.
 */
function ifReadable<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof ArchiveError && /^(?:git-|content-)/.test(error.code)) return undefined
    throw error
  }
}

function compareCommits(
  objects: ObjectStore,
  ends: readonly [string, string],
  detail: CommitDetail,
): MovedCommits | undefined {
  const [old, now] = ends.map((oid) => peel(objects, oid, 'commit')?.oid)
  if (old === undefined || now === undefined) return undefined
  const { ahead, behind } = compareHistories(objects, old, now)
  const counts = { added: ahead.length, removed: behind }
  if (detail !== 'list') return counts
  const lost = behind === 0 ? [] : compareHistories(objects, now, old).ahead
  const describe = (change: MovedCommit['change']) => (oid: string) => {
    const commit = readCommit(objects, oid)
    const [author, date] = [commit.author.name, timeOf(commit.committer)]
    return { change, oid, author, date, subject: subjectOf(commit) }
  }
  const list = [
    ...lost.slice(0, MOST_LISTED).map(describe('removed')),
    ...ahead.slice(0, MOST_LISTED).map(describe('added')),
  ]
  return { ...counts, list }
}

/** Bytes of commits that are kept: refs of one repository share most of their history. */
const KEPT = 16 * 2 ** 20

/**
 * The objects that a repository has in either database; undefined if neither has them. A commit has no parents if all who have
 * it say so.
 */
function joinObjects(
  databases: readonly Database[],
  repository: string,
  onRead: () => void,
): ObjectStore | undefined {
  const stores = databases.flatMap((database) => openObjects(database, repository) ?? [])
  const [first] = stores
  if (!first) return undefined
  const holderOf = (oid: string) => stores.find((store) => store.has(oid)) ?? first
  const commits = createLruCache<string, GitObject>(KEPT, ({ content }) => content.length)
  const read = (oid: string): GitObject => {
    onRead()
    const known = commits.get(oid)
    if (known) return known
    const object = holderOf(oid).read(oid)
    commits.set(oid, object)
    return object
  }
  return {
    ...first,
    read,
    has: (oid) => stores.some((store) => store.has(oid)),
    stream: (oid) => holderOf(oid).stream(oid),
    isShallow: (oid) => stores.every((store) => store.isShallow(oid) || !store.has(oid)),
  }
}
