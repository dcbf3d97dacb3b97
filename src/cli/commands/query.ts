import { readFile } from 'node:fs/promises'
import { ArchiveError } from '../../errors.ts'
import { runQuery } from '../../query/run-query.ts'
import { collect } from '../../streams.ts'
import { defineCommand } from '../command.ts'
import { FORMAT_OPTIONS, writeRows } from '../format-options.ts'
import type { Io } from '../io.ts'
import { openReadable } from '../open-readable.ts'
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
    file: { type: 'string', alias: 'f', describe: 'Read the statement from this file' },
    param: {
      type: 'string',
      alias: 'p',
      nargs: 2,
      array: true,
      describe: 'Name and value of a parameter, :name in the statement',
    },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc query samples/hello.tar.gz "select number, title, state from threads"', 'all threads'],
    ['marc query samples/hello.tar.gz -f samples/queries/reviewers.sql --csv', 'as CSV'],
  ],
  async run({ database: named, sql, file, param = [], ...format }, io) {
    const statement = await statementOf(sql, file, io)
    const database = await openReadable(named, io)
    try {
      await writeRows(runQuery(database, statement, parametersOf(param)), format, io)
      return 0
    } finally {
      database.close()
    }
  },
})

async function statementOf(sql: string | undefined, file: string | undefined, { stdin }: Io) {
  if (sql !== undefined && file !== undefined)
    throw new UsageError('give a statement or -f, not both')
  if (file !== undefined) return readSql(file)
  if (sql === '-' || (sql === undefined && !stdin.isTTY))
    return (await collect(stdin)).toString('utf8')
  if (sql === undefined) throw new UsageError('a statement is missing', 'See: marc query --help')
  return sql
}

const readSql = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new ArchiveError('usage', `${file}: ${(error as Error).message}`, {}, error)
  })

/** Values that look like numbers are numbers, as a person would write them in SQL. */
function parametersOf(pairs: readonly string[]): Record<string, string | number> {
  const parameters: Record<string, string | number> = {}
  for (let i = 0; i < pairs.length; i += 2) {
    const value = pairs[i + 1] as string
    const isNumber = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value)
    parameters[(pairs[i] as string).replace(/^[:@$]/, '')] = isNumber ? Number(value) : value
  }
  return parameters
}
