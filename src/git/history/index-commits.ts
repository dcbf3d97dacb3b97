import { setImmediate } from 'node:timers/promises'
import { type Database, openDatabase } from '../../database/open-database.ts'
import type { SqlValue } from '../../database/rows/row-layout.ts'
import { COMMIT_COLUMN_NAMES, type CommitColumn } from '../../database/schema/commits-table.ts'
import { ArchiveError } from '../../errors.ts'
import { findRepository, listRepositories } from '../list-repositories.ts'
import { openRepository } from '../open-repository.ts'
import { type Commit, subjectOf } from '../parse/parse-commit.ts'
import { timeOf } from '../parse/parse-person.ts'
import { readRefs } from '../refs/read-refs.ts'
import { reachableCommits } from './walk-objects.ts'

interface IndexOptions {
  /** owner/name of the one repository to index; all of them by default. */
  repository?: string | undefined
  signal?: AbortSignal | undefined
}

/** The result for one repository. */
export interface IndexedRepository {
  repository: string
  commits: number
  /** Number of referenced objects that are missing or damaged. */
  broken: number
}

// The signal is checked after this many commits.
const BATCH = 2_000

/**
 * Replaces the rows of the table `commits` by the commits reachable from refs, in one transaction. Missing objects are
 * counted. Throws `repository-not-found`, `git-unsupported` or `content-missing`.
 */
export async function indexCommits(
  path: string,
  { repository, signal }: IndexOptions = {},
): Promise<IndexedRepository[]> {
  const database = openDatabase(path, { readonly: false })
  try {
    const names =
      repository === undefined ? indexable(database) : [findRepository(database, repository)]
    // No other code uses this connection, so the transaction may span awaits.
    database.exec('BEGIN IMMEDIATE')
    const indexed: IndexedRepository[] = []
    for (const name of names) {
      const result = { repository: name, commits: 0, broken: 0 }
      for (const _ of indexOne(database, result)) {
        await setImmediate()
        signal?.throwIfAborted()
      }
      indexed.push(result)
    }
    database.exec('COMMIT')
    return indexed
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    if (signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, error)
    throw error
  } finally {
    database.close()
  }
}

const indexable = (database: Database): string[] =>
  listRepositories(database)
    .filter(({ state }) => state !== 'missing')
    .map(({ repository }) => repository)

/** Indexes a repository and updates `result`. Yields after each batch. */
function* indexOne(database: Database, result: IndexedRepository): Generator<void> {
  const { objects } = openRepository(database, result.repository)
  const columns = ['repository', ...COMMIT_COLUMN_NAMES]
  const insert = database.prepare(
    `INSERT INTO commits (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  database.prepare('DELETE FROM commits WHERE repository = ?').run(result.repository)
  const broken = () => void result.broken++
  for (const commit of reachableCommits(objects, readRefs(database, result.repository), broken)) {
    insert.run(result.repository, ...commitRow(commit, COMMIT_COLUMN_NAMES))
    if (++result.commits % BATCH === 0) yield
  }
  yield
}

/** The value of each column, in the table `commits` and elsewhere. */
const VALUES: Record<CommitColumn, (commit: Commit) => SqlValue> = {
  oid: ({ oid }) => oid,
  tree: ({ tree }) => tree,
  parents: ({ parents }) => JSON.stringify(parents),
  author_name: ({ author }) => author.name,
  author_email: ({ author }) => author.email,
  authored_at: ({ author }) => timeOf(author),
  author_zone: ({ author }) => author.zone,
  committer_name: ({ committer }) => committer.name,
  committer_email: ({ committer }) => committer.email,
  committed_at: ({ committer }) => timeOf(committer),
  committer_zone: ({ committer }) => committer.zone,
  subject: subjectOf,
  message: ({ message }) => message,
}

/** The values of these columns. */
export const commitRow = (commit: Commit, columns: readonly CommitColumn[]): SqlValue[] =>
  columns.map((column) => VALUES[column](commit))
