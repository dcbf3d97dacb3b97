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

/** What became of a repository. */
export interface IndexedRepository {
  repository: string
  commits: number
  /** Objects that refs or commits lead to, and that are missing or damaged. */
  broken: number
}

// Every so many commits there is time to hear of an interrupt.
const BATCH = 2_000

/**
 * Fills the table `commits` of the database at `path` with the commits that refs lead to, in place of those
 * that are there: all in one transaction. Throws `repository-not-found`, `git-unsupported` or
 * `content-missing`; what is missing in a repository is counted.
 */
export async function indexCommits(
  path: string,
  { repository, signal }: IndexOptions = {},
): Promise<IndexedRepository[]> {
  const database = openDatabase(path, { readonly: false })
  try {
    const names =
      repository === undefined ? indexable(database) : [findRepository(database, repository)]
    // The connection is ours alone, and so is what happens in it between awaits.
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

/** Indexes a repository and counts; yields after each batch. */
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

/** What of a commit stands in each column, in the table `commits` and elsewhere. */
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
