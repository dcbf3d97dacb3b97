import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { describeDatabase } from '../../query/describe-database.ts'
import type { SqlValue } from '../../query/query-result.ts'
import { runQuery } from '../../query/run-query.ts'
import { collect } from '../../streams.ts'
import { defineCommand } from '../command.ts'
import { FORMAT_OPTIONS, isForPerson, retypeFormat, writeRows } from '../format-options.ts'
import type { Io } from '../io.ts'
import { nearest } from '../nearest.ts'
import { openReadable } from '../open-readable.ts'
import { limitOf } from '../reading-options.ts'
import { runInTime } from '../run-in-time.ts'
import { UsageError } from '../usage-error.ts'

export const query = defineCommand({
  usage: '<database> [sql]',
  summary: 'Run one SQL statement that reads',
  options: {
    database: {
      type: 'string',
      demandOption: true,
      describe: 'A database, or an archive, which is loaded once into a cache',
    },
    sql: { type: 'string', describe: 'The statement, or - to read it from standard input' },
    file: {
      type: 'string',
      alias: 'f',
      value: '<file>',
      describe: 'Read the statement from this file',
    },
    param: {
      type: 'string',
      alias: 'p',
      value: '<name> <value>',
      nargs: 2,
      array: true,
      describe: 'A parameter, :name in the statement; may be given again',
    },
    timeout: {
      type: 'string',
      value: '<seconds>',
      describe: 'Stop a statement that takes longer, with exit code 3 [off]',
    },
    'max-rows': {
      type: 'string',
      value: '<number>',
      describe: 'Stop with exit code 3 after so many rows, if there are more [off]',
    },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc query samples/hello.tar.gz "select number, title, state from threads"', 'all threads'],
    ['marc query samples/hello.tar.gz -f samples/queries/reviewers.sql --csv', 'as CSV'],
  ],
  async run(typed, io) {
    const { database: named, sql, file, param = [], timeout, 'max-rows': most, ...format } = typed
    isForPerson(format, io) // refuses two formats before anything is read
    const maxRows = limitOf('max-rows', most)
    const seconds = secondsOf(timeout)
    const statement = await statementOf(sql, file, io)
    // With a time limit another process may have to be ended first.
    const database = await openReadable(named, io, { writes: seconds !== undefined })
    try {
      if (seconds !== undefined) {
        const options = [...retypeFormat(format), ...retypeParameters(param)]
        if (most !== undefined) options.push(`--max-rows=${most}`)
        const argv = ['query', ...options, '--', resolve(database.name), '-']
        return await runInTime(argv, { input: statement, seconds }, io)
      }
      const result = runQuery(database, statement, parametersOf(param), { maxRows })
      await writeRows(result, format, io)
      return 0
    } catch (error) {
      throw withHint(error, database)
    } finally {
      database.close()
    }
  },
})

/** Throws `UsageError` for what is no number of seconds. */
function secondsOf(typed: string | undefined): number | undefined {
  if (typed === undefined || typed === 'off') return undefined
  // A timer of Node.js takes no more than 2³¹ milliseconds.
  if (/^\d{1,6}(\.\d+)?$/.test(typed) && Number(typed) > 0) return Number(typed)
  throw new UsageError(`--timeout takes seconds or off, not ${JSON.stringify(typed)}`)
}

const retypeParameters = (pairs: readonly string[]): string[] =>
  pairs.flatMap((word, i) => (i % 2 === 0 ? ['--param', word] : [word]))

async function statementOf(sql: string | undefined, file: string | undefined, { stdin }: Io) {
  if (sql !== undefined && file !== undefined) {
    throw new UsageError('expected a statement or a file with one, found both')
  }
  const piped = sql === '-' || (sql === undefined && !stdin.isTTY)
  const text =
    file !== undefined ? await readSql(file) : piped ? (await collect(stdin)).toString('utf8') : sql
  if (text?.trim()) return text
  throw new UsageError(
    'the statement is missing',
    'Begin with: marc query <database> "select * from threads limit 5"',
  )
}

const readSql = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new UsageError(message, 'Check the path after -f.', { archive: file })
  })

/** Values that look like numbers are numbers, as a person would write them in SQL. */
function parametersOf(pairs: readonly string[]): Record<string, SqlValue> {
  const parameters: Record<string, SqlValue> = {}
  for (let i = 0; i < pairs.length; i += 2) {
    parameters[(pairs[i] as string).replace(/^[:@$]/, '')] = asSqlValue(pairs[i + 1] as string)
  }
  return parameters
}

function asSqlValue(typed: string): SqlValue {
  // A plain number would be a REAL to SQLite: 7 / 2 would be 3.5.
  if (/^-?(0|[1-9]\d{0,17})$/.test(typed)) return BigInt(typed)
  return /^-?(0|[1-9]\d{0,14})\.\d+$/.test(typed) ? Number(typed) : typed
}

/** What SQLite says of a statement, with what was probably meant. */
function withHint(error: unknown, database: Database): unknown {
  if (!(error instanceof ArchiveError && error.code === 'query-invalid')) return error
  const table = /^no such table: (.+)$/.exec(error.message)?.[1]
  const names = table === undefined ? [] : describeDatabase(database).map(({ name }) => name)
  const meant = nearest(table ?? '', names)
  if (meant !== undefined) return new UsageError(error.message, `Did you mean ${meant}?`)
  if (!/^Missing named parameter/.test(error.message)) return error
  return new UsageError(error.message.replace('Missing', 'missing'), 'Give it with: -p name value')
}
