import { ArchiveError } from '../base/errors.ts'
import type { AskedDatabase } from '../database/sources/open-asked.ts'
import type { Parameters } from '../query/run-query.ts'
import type { Texts } from '../reading/people/written-texts.ts'
import type { SearchOptions } from '../search/search-database.ts'
import type { FoundText } from '../search/snippets.ts'
import { type CallOptions, call } from '../work/call.ts'
import type { ProcessLimits } from '../work/process-limits.ts'
import type { Answer } from './answer.ts'
import type { BlameQuestion, BlameRun } from './blame-runs.ts'
import type { CheckReport } from './check-report.ts'
import type * as tasks from './tasks.ts'

/** What a task may take, and a signal that ends it. */
type TaskLimits = ProcessLimits & Pick<CallOptions, 'signal'>

/** The most that a statement or a search may take: ten seconds and 400 MiB. */
export const STATEMENT_LIMITS: ProcessLimits = { seconds: 10, bytes: 400 * 2 ** 20 }
/** A check reads the whole database. */
const CHECK_LIMITS: ProcessLimits = { seconds: 1800, bytes: 800 * 2 ** 20 }

/** Runs a statement on the database of a path. Throws as `runQuery`, `query-timeout`, `query-busy` and `limit-memory`. */
export const answerQuery = async (
  path: string,
  sql: string,
  parameters: Parameters,
  limits: TaskLimits = STATEMENT_LIMITS,
): Promise<Answer> =>
  // Only attached databases may have to be merged.
  (await answerQueryOf({ path }, sql, parameters, limits)) as Answer

/** The same on one database or several; undefined if those that are attached must be merged for it. */
export const answerQueryOf = (
  database: AskedDatabase,
  sql: string,
  parameters: Parameters,
  limits: TaskLimits = STATEMENT_LIMITS,
): Promise<Answer | undefined> =>
  inTurn(() =>
    call<typeof tasks.answerQuery>(
      'task-query',
      { ...database, sql, parameters },
      { in: 'process', ...limits, label: 'the statement' },
    ),
  )

/** Searches the database of a path. Throws as `searchDatabase`, `query-timeout`, `query-busy` and `limit-memory`. */
export const findTexts = (
  path: string,
  words: string,
  options: SearchOptions,
  limits: TaskLimits = STATEMENT_LIMITS,
): Promise<readonly FoundText[]> =>
  inTurn(() =>
    call<typeof tasks.findTexts>(
      'task-search',
      { path, words, options },
      { in: 'process', ...limits, label: 'the search' },
    ),
  )

/** Tells where the lines of a file come from. Throws as `blameRuns`, `query-timeout`, `query-busy` and `limit-memory`. */
export const blameFile = (
  path: string,
  question: BlameQuestion,
  limits: TaskLimits = STATEMENT_LIMITS,
): Promise<readonly BlameRun[]> =>
  inTurn(() =>
    call<typeof tasks.blameFile>(
      'task-blame',
      { path, question },
      { in: 'process', ...limits, label: 'the blame' },
    ),
  )

/** Finds the texts of a person in the databases of these paths. Throws `query-timeout`, `query-busy` and `limit-memory`. */
export const findWrittenTexts = (
  paths: readonly string[],
  person: string,
  limits: TaskLimits = STATEMENT_LIMITS,
): Promise<Texts> =>
  inTurn(() =>
    call<typeof tasks.findWrittenTexts>(
      'task-written',
      { paths, person },
      { in: 'process', ...limits, label: 'the list of texts' },
    ),
  )

/** Checks the database of a path. Throws as `checkDatabase`, `query-timeout`, `query-busy` and `limit-memory`. */
export const checkPath = (path: string, limits = CHECK_LIMITS): Promise<CheckReport> =>
  inTurn(() =>
    call<typeof tasks.checkPath>('task-check', path, {
      in: 'process',
      ...limits,
      label: 'the check',
    }),
  )

/** Processes at a time, and tasks that wait for one. */
const MOST_RUNNING = 2
const MOST_WAITING = 16

let running = 0
const waiting: (() => void)[] = []

/** Does work when there is a process for it. Throws `query-busy` if too much work waits. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_RUNNING) {
    if (waiting.length >= MOST_WAITING) {
      throw new ArchiveError('query-busy', 'too many other questions are being answered')
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
