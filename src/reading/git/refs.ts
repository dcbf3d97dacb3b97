import { createLruCache, type LruCache } from '../../base/lru-cache.ts'
import type { Database } from '../../database/open-database.ts'
import { prepareOnce } from '../../database/prepare-once.ts'
import { type Ref, whyNotRef } from '../../git/refs/read-refs.ts'

/** A ref that names an object. */
export interface ObjectRef extends Ref {
  readonly oid: string
}

/** The refs of a repository whose names begin alike, by name: those that Git would accept, and that name an object. */
export interface RefList {
  readonly count: number
  /** Refs from a position on. */
  page(offset: number, limit: number): ObjectRef[]
}

/** The refs of a list that pass a test. */
export function filterRefs({ count, page }: RefList, test: (ref: ObjectRef) => boolean): RefList {
  const positions: number[] = []
  for (let from = 0; from < count; from += PAGE) {
    for (const [i, ref] of page(from, PAGE).entries()) if (test(ref)) positions.push(from + i)
  }
  return {
    count: positions.length,
    page: (offset, limit) =>
      positions.slice(offset, offset + limit).flatMap((position) => page(position, 1)),
  }
}

const PAGE = 1_000

/** A row of `refs`, read as an array because its columns may hold anything. */
type Row = readonly [rowid: bigint, name: unknown, oid: unknown, peeled: unknown, target: unknown]

const COLUMNS = 'rowid, name, oid, peeled, target'

/** Bytes of the positions of refs that are kept for a database. */
const KEPT = 4 * 2 ** 20
const kept = new WeakMap<Database, LruCache<string, BigInt64Array>>()

/**
 * Lists refs. Rows are untrusted: those that are no valid refs are left out.
 *
 * @param repository as `gitNameOf` returns it; one without Git data has no refs
 * @param prefix such as `refs/heads/`
 */
export function listRefs(database: Database, repository: string, prefix: string): RefList {
  const rows = rowsOf(database, repository, prefix)
  const at = select<[bigint]>(database, 'rowid = ?')
  return {
    count: rows.length,
    page: (offset, limit) =>
      [...rows.subarray(offset, offset + limit)].flatMap((rowid) => {
        const ref = toRef(at.get(rowid))
        return ref && namesObject(ref) ? [ref] : []
      }),
  }
}

function rowsOf(database: Database, repository: string, prefix: string): BigInt64Array {
  const cache = kept.get(database) ?? createLruCache(KEPT, ({ byteLength }) => byteLength + 100)
  kept.set(database, cache)
  const key = `${repository}\n${prefix}`
  const known = cache.get(key)
  if (known) return known
  const where = 'repository = ? AND name >= ? AND name < ? ORDER BY name'
  const all = select<[string, string, string]>(database, where)
  const rows: bigint[] = []
  for (const row of all.iterate(repository, prefix, `${prefix}\u{10ffff}`)) {
    const ref = toRef(row)
    if (ref && namesObject(ref)) rows.push(row[0])
  }
  const found = BigInt64Array.from(rows)
  cache.set(key, found)
  return found
}

/** The ref with this full name, or HEAD, if it names an object. */
export function findObjectRef(
  database: Database,
  repository: string,
  name: string,
): ObjectRef | undefined {
  const ref = findNamed(database, repository, name)
  return ref && namesObject(ref) ? ref : undefined
}

/** The ref that HEAD points to, which may have no commits yet; undefined if it names a commit itself. */
export const headTarget = (database: Database, repository: string): string | undefined =>
  findNamed(database, repository, 'HEAD')?.target ?? undefined

const findNamed = (database: Database, repository: string, name: string): Ref | undefined =>
  toRef(select<[string, string]>(database, 'repository = ? AND name = ?').get(repository, name))

// Callers of `prepareOnce` with equal SQL share a statement: `AS r` keeps this one, which reads arrays, apart from others.
const select = <Values extends unknown[]>(database: Database, where: string) =>
  prepareOnce<Values, Row>(database, `SELECT ${COLUMNS} FROM refs AS r WHERE ${where}`)
    .raw()
    .safeIntegers()

function toRef(row: Row | undefined): Ref | undefined {
  if (!row) return undefined
  const [, name, oid, peeled, target] = row
  const ref = { name, oid, peeled, target }
  return whyNotRef(ref) === undefined ? (ref as Ref) : undefined
}

const namesObject = (ref: Ref): ref is ObjectRef => ref.oid !== null
