import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { prepareOnce } from '../../database/prepare-once.ts'
import { isFullRefName, isRefTarget } from '../../rules/ref-name.ts'
import { gitPath } from '../objects/repository-files.ts'

/** A ref of a stored repository. */
export interface Ref {
  /** Full name, such as refs/heads/main, or HEAD. */
  name: string
  /** The object it names; null for a branch without commits. */
  oid: string | null
  /** The object that an annotated tag points to. */
  peeled: string | null
  /** The ref that a symbolic ref such as HEAD points to. */
  target: string | null
}

const PAGE = 1000
const COLUMNS = 'name, oid, peeled, target'

/**
 * Reads the refs of a repository whose names begin with `prefix`, sorted by name. Throws `database-damaged` for a row that
 * Git would not accept as a ref: the database is untrusted, and refs become paths and lines of files.
 */
export function* readRefs(database: Database, repository: string, prefix = ''): Generator<Ref> {
  const select = (bound: string) => `SELECT rowid, ${COLUMNS} FROM refs
    WHERE repository = ? AND name ${bound} AND name < ? ORDER BY name LIMIT ${PAGE}`
  const end = `${prefix}\u{10ffff}`
  // Given two lower bounds SQLite would use the wrong one, and start over for each page. The next page starts from the
  // stored name, because text that is not UTF-8 sorts differently once it was decoded.
  const next = database
    .prepare<[string, bigint, string], RefRow>(select('> (SELECT name FROM refs WHERE rowid = ?)'))
    .safeIntegers()
  let rows = database
    .prepare<[string, string, string], RefRow>(select('>= ?'))
    .safeIntegers()
    .all(repository, prefix, end)
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    for (const row of rows) yield asRef(row, repository)
    if (rows.length < PAGE) return
    rows = next.all(repository, last.rowid, end)
  }
}

/** Finds a ref by its full name. Throws as `readRefs` does. */
export function findRef(database: Database, repository: string, name: string): Ref | undefined {
  const sql = `SELECT rowid, ${COLUMNS} FROM refs WHERE repository = ? AND name = ?`
  const row = prepareOnce<[string, string], RefRow>(database, sql)
    .safeIntegers()
    .get(repository, name)
  return row && asRef(row, repository)
}

/** A row of the table `refs`, whose columns may hold anything. */
type RefRow = Record<keyof Ref, unknown> & { rowid: bigint }

function asRef({ rowid, ...row }: RefRow, repository: string): Ref {
  const wrong = whyNotRef(row)
  if (wrong === undefined) return row as Ref
  throw new ArchiveError('database-damaged', `the table refs: ${wrong}`, {
    entry: gitPath(repository),
  })
}

/** Why Git would not accept a row as a ref; undefined if it would. */
export function whyNotRef({
  name,
  oid,
  peeled,
  target,
}: Record<keyof Ref, unknown>): string | undefined {
  if (!isText(name) || !(name === 'HEAD' || isFullRefName(name))) return `name ${shown(name)}`
  if (target !== null && !(isText(target) && isRefTarget(target))) return `target ${shown(target)}`
  for (const [column, id] of Object.entries({ oid, peeled })) {
    if (id !== null && !(isText(id) && OBJECT_ID.test(id))) return `${column} ${shown(id)}`
  }
  return undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

const shown = (value: unknown): string =>
  `is not valid in Git: ${JSON.stringify(String(value).slice(0, 100))}`
