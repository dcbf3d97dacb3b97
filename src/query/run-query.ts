import {
  aCount,
  anObject,
  anOpenDatabase,
  anyOf,
  aText,
  checkArguments,
  checkOptions,
  is,
} from '../check-arguments.ts'
import { fileError, sqliteError } from '../database/connection.ts'
import type { Database } from '../database/open-database.ts'
import type { SqlValue } from '../database/rows/row-layout.ts'
import { ArchiveError } from '../errors.ts'
import { isUnsafePragma } from './is-unsafe-pragma.ts'
import type { QueryResult } from './query-result.ts'

/** Values for the parameters of a statement: by name, without the `:`, or by position. */
export type Parameters = Readonly<Record<string, SqlValue>> | readonly SqlValue[]

interface QueryOptions {
  /** Rows after which `limit-rows` is thrown if there are more. Default none. */
  maxRows?: number | undefined
}

const someParameters = anyOf(
  'an array of values, or an object with them by name',
  ...[anObject, is('an array', Array.isArray)],
)

/**
 * Runs one statement that reads and returns rows, which are fetched as they are asked for.
 * Throws `query-invalid`, or `query-writes` for a statement that writes or returns none.
 */
export function runQuery(
  database: Database,
  sql: string,
  parameters: Parameters = {},
  options: QueryOptions = {},
): QueryResult {
  const shapes = { database: anOpenDatabase, sql: aText, parameters: someParameters }
  checkArguments({ database, sql, parameters }, shapes)
  checkOptions(options, { maxRows: aCount })
  const { maxRows = Number.POSITIVE_INFINITY } = options
  if (isUnsafePragma(sql)) {
    throw new ArchiveError('query-writes', 'this statement changes how SQLite works')
  }
  const statement = explain(database, () => database.prepare(sql))
  if (!statement.readonly) throw new ArchiveError('query-writes', 'this statement writes')
  if (!statement.reader) throw new ArchiveError('query-writes', 'this statement returns no rows')
  const columns = statement.columns().map(({ name }) => name)
  statement.raw().safeIntegers()
  const bound = explain(database, () => statement.bind(...asBinding(parameters)))
  const rows = rowsOf(database, () => bound.iterate() as Iterable<SqlValue[]>)
  return { columns, rows: atMost(maxRows, rows) }
}

// A generator, so that a statement whose rows nobody asks for is never left open.
function* rowsOf(database: Database, iterate: () => Iterable<SqlValue[]>): Generator<SqlValue[]> {
  try {
    for (const row of iterate()) yield row.map(asNumber)
  } catch (error) {
    throw asArchiveError(database, error)
  }
}

function* atMost(most: number, rows: Iterable<SqlValue[]>): Generator<SqlValue[]> {
  let count = 0
  for (const row of rows) {
    if (++count > most) {
      throw new ArchiveError('limit-rows', `the statement has more than ${most} rows`)
    }
    yield row
  }
}

const asNumber = (value: SqlValue): SqlValue =>
  typeof value === 'bigint' && BigInt.asIntN(54, value) === value ? Number(value) : value

// Of names without any values better-sqlite3 says which is missing, of no values at all only that some are.
const asBinding = (parameters: Parameters): unknown[] =>
  Array.isArray(parameters) ? [...parameters] : [parameters]

function explain<T>(database: Database, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asArchiveError(database, error)
  }
}

// What is neither ours nor about the file is about the statement.
function asArchiveError(database: Database, error: unknown): unknown {
  const cause = sqliteError(error) ?? error
  if (cause instanceof ArchiveError || !(cause instanceof Error)) return error
  const code = fileError(cause)
  const place = code ? { archive: database.name } : {}
  return new ArchiveError(code ?? 'query-invalid', describeFault(cause.message), place, cause)
}

/** What better-sqlite3 says of a statement in words of its own; what SQLite says stays as it is. */
function describeFault(message: string): string {
  const [, parameter] = /^Missing named parameter "(.+)"$/.exec(message) ?? []
  if (parameter !== undefined) return `the parameter :${parameter} has no value`
  return FAULTS[message] ?? message
}

const FAULTS: Readonly<Record<string, string>> = {
  'The supplied SQL string contains more than one statement':
    'expected one statement, found several',
  'The supplied SQL string contains no statements': 'expected a statement, found none',
  'Missing named parameters': 'the parameters have names, and values were given without them',
  'Too few parameter values were provided': 'a parameter without a name has no value',
  'Too many parameter values were provided': 'there are more values than parameters',
}

const GATHERING = /^(group_concat|string_agg|jsonb?_group_(array|object)|zeroblob|randomblob)\(/

/**
 * Whether a statement may make a value of any size out of small ones: all else SQLite hands over row by row, and sorts
 * on the disk. A statement that is wrong does not.
 */
export function mayFillMemory(database: Database, sql: string): boolean {
  let steps: SqlValue[][]
  try {
    steps = database.prepare(`EXPLAIN ${sql}`).raw().all() as SqlValue[][]
  } catch {
    return false
  }
  const calls = (pattern: RegExp) =>
    steps.some(([, , , , , called]) => pattern.test(String(called)))
  const joins = steps.some(([, step]) => step === 'Concat')
  const pads = /%[^%a-z]*(\*|\d{6})/i.test(sql) && calls(/^(printf|format)\(/)
  return calls(GATHERING) || pads || (joins && /\brecursive\b/i.test(sql))
}
