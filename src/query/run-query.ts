import {
  aCount,
  anObject,
  anOpenDatabase,
  anyOf,
  aText,
  checkArguments,
  checkOptions,
  is,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { fileError, sqliteError } from '../database/connection.ts'
import { attachedTo, MOST_CELL, sizeOf } from '../database/large-row.ts'
import type { Database } from '../database/open-database.ts'
import type { SqlValue } from '../database/schema/row-layout.ts'
import { parseSqliteError, type StatementFault } from '../database/sqlite-messages.ts'

export type { SqlValue }

/** Values for the parameters of a statement: by name, without the `:`, or by position. */
export type Parameters = Readonly<Record<string, SqlValue>> | readonly SqlValue[]

/** The answer to a query. `rows` can be read once, and are fetched on demand: there may be more than fit in memory. */
export interface QueryResult {
  /** The names of the columns. */
  columns: readonly string[]
  /** The rows: a value for each column. */
  rows: Iterable<readonly SqlValue[]>
}

/** How to run a query. */
export interface QueryOptions {
  /** The most rows to return; with more, `limit-rows` is thrown. Default: no limit. */
  maxRows?: number | undefined
}

const someParameters = anyOf(
  'an array of values, or an object with them by name',
  anObject,
  is('an array', Array.isArray),
)

/**
 * Runs one SQL statement that only reads.
 *
 * @param database the database to query
 * @param sql one statement that returns rows
 * @param parameters values for its parameters, by name or by position
 * @param options `maxRows`
 * @returns the names of the columns, and the rows; integers beyond 2⁵³ are bigint
 * @throws `query-invalid`; `query-writes` if the statement writes or returns no rows; `limit-rows` while rows are read;
 *   `option-invalid`
 * @example
 * const sql = 'SELECT title FROM issues WHERE user_login = :login'
 * const { rows } = runQuery(database, sql, { login: 'ada' })
 * const titles = Array.from(rows, ([title]) => title)
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
  if (!statement.readonly)
    throw new ArchiveError('query-writes', 'this statement writes').about(WRITES)
  if (!statement.reader) throw new ArchiveError('query-writes', 'this statement returns no rows')
  const columns = statement.columns().map(({ name }) => name)
  statement.raw().safeIntegers()
  const bound = explain(database, () => statement.bind(...asBinding(parameters)))
  const rows = rowsOf(database, () => bound.iterate() as Iterable<SqlValue[]>)
  return { columns, rows: atMost(maxRows, rows) }
}

/** The value of the error of a statement that changes data. */
export const WRITES = 'writes'

// A generator: a statement whose rows are never read is never opened.
function* rowsOf(database: Database, iterate: () => Iterable<SqlValue[]>): Generator<SqlValue[]> {
  try {
    for (const row of iterate()) yield row.map(asNumber)
  } catch (error) {
    throw asArchiveError(database, error)
  }
}

function* atMost(limit: number, rows: Iterable<SqlValue[]>): Generator<SqlValue[]> {
  let count = 0
  for (const row of rows) {
    if (++count > limit) {
      const message = `the statement has more than ${limit} rows`
      throw new ArchiveError('limit-rows', message).over({ allowed: limit, found: count })
    }
    yield row
  }
}

const asNumber = (value: SqlValue): SqlValue =>
  typeof value === 'bigint' && BigInt.asIntN(54, value) === value ? Number(value) : value

// Given an object, even an empty one, better-sqlite3 names the parameter that is missing.
const asBinding = (parameters: Parameters): unknown[] =>
  Array.isArray(parameters) ? [...parameters] : [parameters]

function explain<T>(database: Database, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asArchiveError(database, error)
  }
}

// An error that is neither ours nor about the file is about the statement.
function asArchiveError(database: Database, error: unknown): unknown {
  const cause = sqliteError(error) ?? error
  if (cause instanceof ArchiveError || !(cause instanceof Error)) return error
  const code = fileError(cause)
  const place = code ? { archive: database.name } : {}
  return new ArchiveError(code ?? 'query-invalid', describeFault(cause), place, cause)
}

/** Rewords faults that better-sqlite3 finds; messages of SQLite are kept. */
function describeFault(error: Error): string {
  const { fault, name } = parseSqliteError(error) ?? {}
  if (fault === 'parameter-missing') return `the parameter :${name} has no value`
  return (fault && FAULTS[fault]) ?? error.message
}

const FAULTS: Readonly<Partial<Record<StatementFault, string>>> = {
  'several-statements': 'expected one statement, found several',
  'no-statement': 'expected a statement, found none',
  'parameters-are-named': 'the parameters have names, and values were given without them',
  'parameters-too-few': 'a parameter without a name has no value',
  'parameters-too-many': 'there are more values than parameters',
}

const GATHERING = /^(group_concat|string_agg|jsonb?_group_(array|object)|zeroblob|randomblob)\(/

/**
 * Whether a statement may read or build a value of unbounded size. Everything else is returned row by row and sorted on disk.
 * SQLite reads a value whole, and only a database that is larger itself may have one of any size. False for an invalid
 * statement, as for one that lacks the value of a parameter.
 */
export function mayFillMemory(
  database: Database,
  sql: string,
  parameters: Parameters = {},
): boolean {
  const schemas = ['main', ...attachedTo(database)]
  if (schemas.some((schema) => sizeOf(database, schema) > MOST_CELL)) return true
  let steps: SqlValue[][]
  try {
    const explained = database.prepare<unknown[], SqlValue[]>(`EXPLAIN ${sql}`).raw()
    steps = explained.all(...asBinding(parameters))
  } catch {
    return false
  }
  const calls = (pattern: RegExp) =>
    steps.some(([, , , , , called]) => pattern.test(String(called)))
  const joins = steps.some(([, step]) => step === 'Concat')
  const pads = /%[^%a-z]*(\*|\d{6})/i.test(sql) && calls(/^(printf|format)\(/)
  return calls(GATHERING) || pads || (joins && /\brecursive\b/i.test(sql))
}

// Spaces and comments between words. Only one alternative matches at any place, so there is no backtracking.
const GAP = String.raw`(?:[\s;\ufeff]|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*(?:\*/|$))`

const PRAGMA = new RegExp(
  `^${GAP}*(?:explain${GAP}+(?:query${GAP}+plan${GAP}+)?)?pragma\\b(?:${GAP}+(?:\\w+\\.)?(\\w+))?`,
  'i',
)

/** Pragmas that only read, whatever their argument. As functions, such as `pragma_table_info`, all of them only read. */
const READING = new Set([
  'table_list',
  'table_info',
  'table_xinfo',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'foreign_key_check',
  'integrity_check',
  'quick_check',
  'database_list',
  'collation_list',
  'function_list',
  'module_list',
  'pragma_list',
  'compile_options',
  'user_version',
  'application_id',
  'page_count',
  'freelist_count',
])

/**
 * Whether a statement is a PRAGMA that may change how SQLite works. SQLite runs some of these when the statement is
 * prepared, even for EXPLAIN, and calls them read-only.
 */
function isUnsafePragma(sql: string): boolean {
  const match = PRAGMA.exec(sql)
  return match !== null && !READING.has((match[1] ?? '').toLowerCase())
}
