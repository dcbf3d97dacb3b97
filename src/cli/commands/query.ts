import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { collect } from '../../base/streams.ts'
import { attachedTo } from '../../database/large-row.ts'
import { parseSavedQuery, type SavedQuery } from '../../query/parse-saved-query.ts'
import { mayFillMemory, type QueryResult, runQuery } from '../../query/run-query.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'
import {
  type Chosen,
  FORMAT_OPTIONS,
  formatOf,
  isForPerson,
  retypeFormat,
  writeRows,
} from '../options/format-options.ts'
import { limitOf, sizeLimitOf } from '../options/reading-options.ts'
import { PAGER_OPTION, SOURCES_OPTION } from '../options/shared-options.ts'
import { secondsOf, TIMEOUT_OPTION } from '../options/timeout-option.ts'
import { writeAll } from '../output/write-all.ts'
import { runInTime } from '../process/run-in-process.ts'
import {
  describeSavedQueries,
  describeSavedQuery,
  savedQueryRows,
} from '../reports/describe-saved-queries.ts'
import { areDatasets } from '../sources/expand-sources.ts'
import { openSources } from '../sources/open-readable.ts'
import {
  checkPairs,
  openNamesIn,
  PARAMETER_OPTION,
  parametersOf,
  retypeParameters,
} from '../sources/query-parameters.ts'
import { ownQueriesFolder, savedQueries, savedQuery } from '../sources/saved-queries.ts'

/** Memory of a process that runs a query; without one it uses 60 MiB. */
const MOST_MEMORY = 200 * 2 ** 20

/** That of one over datasets: DuckDB writes to a temporary folder above 512 MB, but for the values of one row. */
const MOST_OF_DATASETS = 900 * 2 ** 20

export const query = defineCommand({
  usage: '<sources..> [sql]',
  options: {
    sources: SOURCES_OPTION,
    pager: PAGER_OPTION,
    sql: { type: 'string', describe: 'The statement, or - to read it from standard input' },
    file: {
      type: 'string',
      alias: 'f',
      value: '<file>',
      describe: 'Read the statement from this file',
    },
    saved: {
      type: 'string',
      alone: true,
      bare: true,
      value: '[name]',
      describe: 'Run this saved query; without a name, list them',
    },
    param: PARAMETER_OPTION,
    timeout: TIMEOUT_OPTION,
    'max-rows': {
      type: 'string',
      value: '<number>',
      describe: 'Stop after this many rows, with exit code 3 [off]',
    },
    'max-memory': {
      type: 'string',
      value: '<size>',
      describe:
        'Stop a query that needs more memory, with exit code 3 [200MiB]; DuckDB takes 512MB at most for datasets, whatever is named here',
    },
    chart: { type: 'boolean', describe: 'Draw bars, or lines if the first column is a time' },
    'chart-column': {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<name>',
      describe: 'Draw this numeric column; repeatable for lines [the first]',
    },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc query samples/hello.tar.gz "select number, title, state from threads"', 'all threads'],
    ['marc query samples/hello.tar.gz --saved stale-pull-requests -p days 30', 'a saved query'],
    [
      'marc query samples/hello.tar.gz samples/organization.tar.gz "select _source, count(*) from threads group by 1"',
      'several archives as one',
    ],
    ['marc query --saved', 'list the saved queries'],
    ['marc query samples/organization.tar.gz --saved activity-by-month --chart', 'lines by month'],
    [
      'marc query samples/organization.tar.gz --saved reviewers --chart-column approved',
      'bars of one column',
    ],
    ['marc query samples/hello.tar.gz -f samples/queries/reviewers.sql --csv', 'as CSV'],
  ],
  async run(typed, io) {
    const { sources: named, sql: last, file, saved, param = [], ...more } = typed
    // With a statement from elsewhere, the last argument is a source as well.
    const isSource = (file ?? saved) !== undefined && last !== undefined && !isStatement(last)
    const sql = isSource ? undefined : last
    const sources = isSource ? [...named, last] : named
    const { timeout, 'max-rows': most, 'max-memory': bytes, ...others } = more
    const { 'chart-column': drawn, chart = drawn !== undefined, ...format } = others
    isForPerson(format, io) // refuses two formats before anything is read
    if (chart) (await import('../reports/write-chart.ts')).checkAlone(format)
    if (saved === '' || (saved !== undefined && sources === undefined)) {
      return await writeSavedQueries(saved, format, io)
    }
    const [only] = named
    if (named.length === 1 && last === undefined && only !== '-' && isStatement(only ?? '')) {
      const hint = `Name one before it: marc query archive.tar.gz ${shellWord(only ?? '')}`
      throw new UsageError('expected a database or an archive, found only a statement', hint)
    }
    // The error about a source that does not exist says more.
    if (sql !== undefined && [...sources, sql].every((path) => existsSync(path))) {
      throw new UsageError(IS_MISSING, BEGIN_WITH)
    }
    const isStatementPiped = sql === '-' || [sql, file, saved].every((one) => one === undefined)
    if (sources.includes('-') && isStatementPiped) {
      const hint = 'Write the statement on the command line, or in a file with -f.'
      throw new UsageError('standard input cannot hold both the source and the statement', hint)
    }
    const maxRows = limitOf('max-rows', most)
    const seconds = secondsOf(timeout)
    const memory = sizeLimitOf('max-memory', bytes) ?? MOST_MEMORY
    const statement = await readStatement({ sql, file, saved }, io)
    if (saved !== undefined) checkPairs(param, statement)
    const rerun = (paths: readonly string[], mostBytes = memory) => {
      const options = ['--max-memory=off', ...retypeFormat(format), ...retypeParameters(param)]
      if (most !== undefined) options.push(`--max-rows=${most}`)
      if (chart) options.push('--chart', ...(drawn ?? []).map((name) => `--chart-column=${name}`))
      const named = paths.map((path) => resolve(path))
      const argv = ['query', '--no-pager', ...options, '--', ...named, '-']
      return runInTime(argv, { input: statement.sql, seconds, bytes: mostBytes }, io)
    }
    const write = async (result: QueryResult) => {
      if (chart) await (await import('../reports/write-chart.ts')).writeChart(result, drawn, io)
      else await writeRows(result, format, io)
      return 0 as const
    }
    if (areDatasets(sources)) {
      // A limit of memory holds for a process.
      const isLimited = bytes !== undefined && Number.isFinite(memory)
      if (isLimited) return await rerun(sources)
      if (seconds !== undefined) {
        return await rerun(sources, bytes === undefined ? MOST_OF_DATASETS : memory)
      }
      const { datasetsHave, queryDatasets } = await import('../../datasets/query-dataset.ts')
      const { explainDatasetQuery } = await explanations()
      const { checkNeeds } = await import('../../query/check-needs.ts')
      try {
        checkNeeds(statement, (table) => datasetsHave(sources, table))
        const parameters = await parametersOf(param, statement, openNamesInDatasets(sources))
        const answer = await queryDatasets(sources, statement.sql, parameters, { maxRows })
        return await write(answer).finally(answer.close)
      } catch (error) {
        throw explainDatasetQuery(error)
      }
    }
    // With a time limit a child process may have to be killed first.
    const writes = seconds !== undefined
    const all = await openSources(sources, io, { writes })
    let opened = all.database
    try {
      opened = await all.databaseFor(statement.sql)
      if (statement.needs) {
        const { checkNeeds, hasTable } = await import('../../query/check-needs.ts')
        checkNeeds(statement, (table) => hasTable(opened, table))
      }
      const parameters = await parametersOf(param, statement, openNamesIn(opened))
      // A child process would write to a pager as to a pipe.
      const isDirect = io.stdout === process.stdout || !io.stdout.isTTY
      const { sql } = statement
      const isWatched =
        Number.isFinite(memory) && isDirect && mayFillMemory(opened, sql, parameters)
      if (seconds !== undefined || isWatched) {
        const isOne = sources.length === 1 && attachedTo(opened).length === 0
        return await rerun(isOne ? [opened.name] : sources)
      }
      return await write(runQuery(opened, statement.sql, parameters, { maxRows }))
    } catch (error) {
      throw (await explanations()).explainQuery(error, statement.sql, opened)
    } finally {
      all.close()
    }
  },
})

/** Whether an argument is a statement, in a place where a source may stand. */
const isStatement = (text: string) => text === '-' || (/\s/.test(text) && !existsSync(text))

const openNamesInDatasets = (folders: readonly string[]) => async () => {
  const { knownNames } = await import('../sources/known-names.ts')
  return knownNames((await import('../sources/dataset-names.ts')).namesInDatasets(folders))
}

// Loading the descriptions of tables takes longer than a query, and most queries do not need them.
const explanations = () => import('../sources/explain-query.ts')

/** Lists the saved queries, or shows one. */
async function writeSavedQueries(name: string, format: Chosen, io: Io): Promise<ExitCode> {
  const asked = name === '' ? savedQueries(io) : [savedQuery(name, io)]
  const [first] = asked
  if (formatOf(format) !== undefined) await writeRows(savedQueryRows(asked), format, io)
  else if (name !== '' && first) await writeAll(io.stdout, [describeSavedQuery(first)])
  else await writeAll(io.stdout, [describeSavedQueries(asked, ownQueriesFolder(io))])
  return 0
}

interface StatementOptions {
  sql?: string | undefined
  file?: string | undefined
  saved?: string | undefined
}

/** Reads the statement: from the command line, standard input, a file or the saved queries. Throws `UsageError`. */
async function readStatement(options: StatementOptions, io: Io): Promise<SavedQuery> {
  const { sql, file, saved } = options
  if (saved !== undefined) {
    if (sql === undefined && file === undefined) return savedQuery(saved, io)
    throw new UsageError('expected a statement or a saved query, found both')
  }
  if (sql !== undefined && file !== undefined) {
    throw new UsageError('expected a statement or a file with one, found both')
  }
  const { stdin } = io
  const piped = sql === '-' || (sql === undefined && !stdin.isTTY)
  const text =
    file !== undefined ? await readSql(file) : piped ? (await collect(stdin)).toString('utf8') : sql
  if (text?.trim()) return parseSavedQuery(text)
  throw new UsageError(IS_MISSING, BEGIN_WITH)
}

const IS_MISSING = 'the statement is missing'
const BEGIN_WITH = 'Begin with: marc query <database> "select * from threads limit 5"'

const readSql = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new UsageError(message, 'Check the path after -f.', { archive: file })
  })
