/** Questions for a process of their own: in that of the server, SQLite could not be stopped and would hold up all other answers. */

import { ArchiveError } from '../base/errors.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open-database.ts'
import { mergeDatabases } from '../database/sources/merge-databases.ts'
import { type AskedDatabase, openAsked } from '../database/sources/open-asked.ts'
import type { MergedPart } from '../database/sources/order-databases.ts'
import type { Parameters } from '../query/run-query.ts'
import type { Texts } from '../reading/people/written-texts.ts'
import { type SearchOptions, searchDatabase } from '../search/search-database.ts'
import type { FoundText } from '../search/snippets.ts'
import type { Context } from '../work/run.ts'
import { type Answer, answerOf } from './answer.ts'
import type { BlameQuestion, BlameRun } from './blame-runs.ts'
import type { CheckReport } from './check-report.ts'

async function withDatabase<T>(path: string, work: (database: Database) => T): Promise<Awaited<T>> {
  const database = openDatabase(path)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

/** SQLite's list of databases with their paths, as a pragma or a table. Whoever asks a server need not know its folders. */
const FOLDERS = /database_list/i

/**
 * The answer to a statement; undefined if the databases must be merged for it. Throws as `runQuery`, and `query-invalid` for a
 * statement that asks for folders.
 */
export async function answerQuery({
  sql,
  parameters,
  ...asked
}: AskedDatabase & { sql: string; parameters: Parameters }): Promise<Answer | undefined> {
  if (FOLDERS.test(sql)) {
    throw new ArchiveError('query-invalid', 'no statement may name database_list here')
  }
  const database = await openAsked(asked)
  try {
    if (asked.isAttached) {
      const { isTooMuch } = await import('../database/sources/attach-databases.ts')
      if (isTooMuch(database, sql)) return undefined
    }
    return answerOf(database, sql, parameters)
  } finally {
    database.close()
  }
}

export const findTexts = ({
  path,
  words,
  options,
}: {
  path: string
  words: string
  options: SearchOptions
}): Promise<FoundText[]> =>
  withDatabase(path, (database) => [...searchDatabase(database, words, options)])

export const blameFile = ({
  path,
  question,
}: {
  path: string
  question: BlameQuestion
}): Promise<BlameRun[]> =>
  withDatabase(path, async (database) => {
    // Neither statements nor searches need Git.
    const { blameRuns } = await import('./blame-runs.ts')
    return blameRuns(database, question)
  })

export async function findWrittenTexts({
  paths,
  person,
}: {
  paths: readonly string[]
  person: string
}): Promise<Texts> {
  const { Library } = await import('../reading/library.ts')
  const { findTexts } = await import('../reading/people/written-texts.ts')
  const library = Library.open(paths)
  try {
    return findTexts(library.stores, person)
  } finally {
    library.close()
  }
}

export const checkPath = (path: string): Promise<CheckReport> =>
  withDatabase(path, async (database) => {
    // The rules of archives take longer to load than most answers.
    const { checkDatabase } = await import('../conformance/checks/check-database.ts')
    const { reportOf } = await import('./check-report.ts')
    return reportOf(await checkDatabase(database))
  })

/**
 * Merges databases, as `mergeDatabases` does.
 *
 * @param context told the part that is done, from 0 to 1
 */
export const mergeParts = (
  { parts, path }: { parts: readonly MergedPart[]; path: string },
  { progress, signal }: Pick<Context<number>, 'progress' | 'signal'>,
): Promise<void> =>
  mergeDatabases(parts, path, { signal, progress: (done) => progress(done / parts.length) })

/** Writes what attaches databases, as `writeMergedSchema` does. */
export async function attachParts(
  { parts, path }: { parts: readonly MergedPart[]; path: string },
  { signal }: Pick<Context<number>, 'signal'>,
): Promise<void> {
  const { writeMergedSchema } = await import('../database/sources/attach-databases.ts')
  await writeMergedSchema(parts, path, { signal })
}
