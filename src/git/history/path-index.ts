import { createLruCache } from '../../base/lru-cache.ts'
import type { Database } from '../../database/open-database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import type { IndexedCommit, PathIndex } from './walk-commits.ts'

type KnownObjects = Pick<ObjectStore, 'has' | 'placeOf'>

/**
 * Asks the tables `commits` and `commits_files` which commits changed one of these paths. Undefined if nothing of the repository is in
 * them, or they cannot tell the path. `marc doctor` finds rows that were edited.
 */
export function createPathIndex(
  database: Database,
  repository: string,
  objects: KnownObjects,
  paths: readonly string[],
): PathIndex | undefined {
  const some = database.prepare(
    'SELECT 1 FROM commits WHERE repository = ? AND files IS NOT NULL LIMIT 1',
  )
  if (some.get(repository) === undefined) return undefined
  const names = paths.map((path) => path.split('/').filter((part) => part !== '' && part !== '.'))
  const roots = names.map((parts) => parts.join('/'))
  // Names that are not UTF-8 are alike in the table.
  if (roots.some((root) => root === '' || root.includes('\ufffd'))) return undefined
  const changed = changedAt(database, repository, objects, roots)
  return createIndexReader(database, repository, (oid) => changed.has(oid))
}

/** The commits that changed one of these paths. */
function changedAt(
  database: Database,
  repository: string,
  objects: KnownObjects,
  roots: readonly string[],
) {
  const oids = createOidSet(objects)
  const select = ['path', 'old_path'].map((column) =>
    database
      .prepare<object, string>(
        `SELECT oid FROM commits_files WHERE repository = :repository
         AND (${column} = :root OR (${column} > :root || '/' AND ${column} < :root || '0'))`,
      )
      .pluck(),
  )
  for (const root of roots) {
    for (const statement of select) {
      // Rows are untrusted: there may be any number of ids without an object.
      for (const oid of statement.iterate({ repository, root })) {
        if (typeof oid === 'string' && objects.has(oid)) oids.add(oid)
      }
    }
  }
  return oids
}

/** Rows that are kept. */
const MOST_KNOWN = 10_000
/** Rows to read at once. */
const [FEWEST, MOST] = [10, 1_000]
const ABSENT = Symbol('absent')

interface IndexRow {
  readonly oid: string
  readonly tree: string
  readonly parents: string
  readonly seconds: number
  readonly time: string
}

/**
 * Reads the rows of commits. A walk asks for nearly all, latest first: so those that follow one in time are read with it, which takes a
 * seventh of the time of single rows. How many depends on how many were of use before, as commits may say any time.
 */
function createIndexReader(
  database: Database,
  repository: string,
  isChanged: (oid: string) => boolean,
): PathIndex {
  const columns = `SELECT oid, tree, parents, unixepoch(committed_at) AS seconds, committed_at AS time
    FROM commits WHERE repository = ? AND files IS NOT NULL`
  const one = database.prepare<[string, string], IndexRow>(
    `${columns} AND committed_at IS NOT NULL AND oid = ?`,
  )
  const following = database.prepare<[string, string, number], IndexRow>(
    `${columns} AND committed_at <= ? ORDER BY committed_at DESC LIMIT ?`,
  )
  const known = createLruCache<string, IndexedCommit | typeof ABSENT>(MOST_KNOWN)
  const ahead = new Set<string>()
  let used = 0
  const keep = (row: IndexRow) => {
    const commit = toIndexed(row, isChanged)
    known.set(row.oid, commit)
    return commit
  }
  const read = (oid: string) => {
    const row = one.get(repository, oid)
    if (!row) {
      known.set(oid, ABSENT)
      return ABSENT
    }
    ahead.clear()
    for (const other of following.all(repository, row.time, Math.min(MOST, FEWEST + 2 * used))) {
      ahead.add(other.oid)
      keep(other)
    }
    used = 0
    return known.get(oid) ?? keep(row)
  }
  return (oid) => {
    const found = known.get(oid) ?? read(oid)
    if (ahead.delete(oid)) used++
    return found === ABSENT ? undefined : found
  }
}

/** Rows are untrusted: a damaged one counts as absent. */
function toIndexed(
  { oid, tree, parents: text, seconds }: IndexRow,
  isChanged: (oid: string) => boolean,
): IndexedCommit | typeof ABSENT {
  if (typeof text !== 'string' || typeof tree !== 'string' || typeof seconds !== 'number') {
    return ABSENT
  }
  const parents = text.match(OIDS) ?? []
  if (text.length !== Math.max(2, 1 + 43 * parents.length)) return ABSENT
  return { links: { oid, tree, parents, seconds }, changed: isChanged(oid) }
}

const OIDS = /[0-9a-f]{40}/g
