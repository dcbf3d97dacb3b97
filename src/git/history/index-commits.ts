import { orInterrupted } from '../../base/errors.ts'
import { nextTurn } from '../../base/next-turn.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { openRowChecksums } from '../../database/row-checksums.ts'
import { COMMIT_COLUMN_NAMES, COMMIT_TABLES } from '../../database/schema/commits-table.ts'
import { findRepository, listRepositories } from '../list-repositories.ts'
import { createObjectStore, type ObjectStore } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { checkStored } from '../objects/repository-files.ts'
import { readRefs } from '../refs/read-refs.ts'
import { createChangedFiles, keepNeighbours } from './changed-files.ts'
import { commitRow } from './commit-row.ts'
import { reachableCommits } from './walk-objects.ts'

interface IndexOptions {
  /** owner/name of the one repository to index; all of them by default. */
  repository?: string | undefined
  /** Note the files that each commit changed as well, in the table `commits_files`. */
  files?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** The result for one repository. */
export interface IndexedRepository {
  repository: string
  commits: number
  /** Number of referenced objects that are missing or damaged. */
  broken: number
}

// Milliseconds between two checks of the signal.
const TURN = 100

/**
 * Fills the table `commits` with the commits that refs reach, in one transaction. Rows that are there already stay, so
 * a second run is fast. Counts missing objects. Throws `repository-not-found`, `record-ambiguous`, `git-unsupported` or `content-missing`.
 */
export async function indexCommits(
  path: string,
  { repository, files = false, signal }: IndexOptions = {},
): Promise<IndexedRepository[]> {
  const database = openDatabase(path, { readonly: false })
  try {
    const names =
      repository === undefined ? indexable(database) : [findRepository(database, repository)]
    // No other code uses this connection, so the transaction may span awaits.
    database.exec('BEGIN IMMEDIATE')
    const checksums = openRowChecksums(database, COMMIT_TABLES)
    const indexed: IndexedRepository[] = []
    for (const name of names) {
      const result = { repository: name, commits: 0, broken: 0 }
      for (const _ of indexOne(database, result, files)) {
        await nextTurn(signal)
      }
      indexed.push(result)
    }
    checksums.finish()
    database.exec('COMMIT')
    return indexed
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw orInterrupted(error, signal)
  } finally {
    database.close()
  }
}

const indexable = (database: Database): string[] =>
  listRepositories(database)
    .filter(({ state }) => state !== 'missing')
    .map(({ repository }) => repository)

/** Indexes a repository and updates `result`. Yields now and then. */
function* indexOne(database: Database, result: IndexedRepository, files: boolean): Generator<void> {
  const { repository } = result
  checkStored(database, repository)
  const objects = keepNeighbours(createObjectStore(database, repository))
  const columns = ['repository', 'files', ...COMMIT_COLUMN_NAMES]
  const insert = database.prepare(
    `INSERT INTO commits (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (oid, repository) DO UPDATE SET files = excluded.files WHERE excluded.files IS NOT NULL`,
  )
  const changedFiles = files ? createChangedFiles(database, repository, objects) : undefined
  const hasFiles = files ? oidsWithFiles(database, repository, objects) : undefined
  const reached = createOidSet(objects)
  const broken = () => void result.broken++
  let turn = performance.now()
  for (const commit of reachableCommits(objects, readRefs(database, repository), broken)) {
    reached.add(commit.oid)
    const isNew = changedFiles && !hasFiles?.has(commit.oid)
    const count = isNew ? changedFiles.add(commit) : undefined
    if (isNew && count === undefined) broken()
    insert.run(repository, count, ...commitRow(commit, COMMIT_COLUMN_NAMES))
    result.commits++
    if (performance.now() - turn < TURN) continue
    yield
    turn = performance.now()
  }
  if (countRows(database, repository) > result.commits) removeOthers(database, repository, reached)
  yield
}

/** The commits whose files are in `commits_files`. */
function oidsWithFiles(database: Database, repository: string, objects: ObjectStore) {
  const oids = createOidSet(objects)
  const select = database
    .prepare<[string], string>('SELECT oid FROM commits WHERE repository = ? AND files IS NOT NULL')
    .pluck()
  for (const oid of select.iterate(repository)) oids.add(oid)
  return oids
}

const countRows = (database: Database, repository: string): number =>
  database
    .prepare<[string], number>('SELECT count(*) FROM commits WHERE repository = ?')
    .pluck()
    .get(repository) ?? 0

const PAGE = 1_000

/** Removes the commits that no ref leads to any more. */
function removeOthers(
  database: Database,
  repository: string,
  reached: { has(oid: string): boolean },
) {
  const page = database.prepare<[string, number], { rowid: number; oid: string }>(
    `SELECT rowid, oid FROM commits WHERE repository = ? AND rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  )
  const remove = COMMIT_TABLES.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE oid = ? AND repository = ?`),
  )
  let rows = page.all(repository, 0)
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    for (const { oid } of rows) {
      if (!reached.has(oid)) for (const statement of remove) statement.run(oid, repository)
    }
    rows = page.all(repository, last.rowid)
  }
}
