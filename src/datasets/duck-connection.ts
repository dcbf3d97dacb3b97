import { resolve } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { loadOptional } from '../base/optional-package.ts'
import { quoteText } from '../database/quote.ts'
import type { Parameters, SqlValue } from '../query/run-query.ts'
import { hasStatement } from './translate-statement.ts'

/** The part of the package @duckdb/node-api that reads. */
interface Library {
  DuckDBInstance: { create(path: string, settings: Record<string, string>): Promise<Instance> }
  StatementType: { SELECT: number }
}

interface Instance {
  connect(): Promise<Connection>
  closeSync(): void
}

interface Connection {
  run(sql: string): Promise<unknown>
  extractStatements(sql: string): Promise<{ count: number; prepare(at: number): Promise<Prepared> }>
  closeSync(): void
}

interface Prepared {
  readonly statementType: number
  readonly parameterCount: number
  parameterName(at: number): string
  bindNull(at: number): void
  bindValue(at: number, value: unknown): void
  bindBigInt(at: number, value: bigint): void
  bindDouble(at: number, value: number): void
  bindVarchar(at: number, value: string): void
  stream(): Promise<Result>
}

interface Result {
  columnNames(): string[]
  yieldRows(): AsyncIterable<unknown[][]>
}

/** A connection to DuckDB that reads the files of datasets, and nothing else. */
export interface DuckConnection {
  run(sql: string): Promise<void>
  /** Runs a statement that only reads. Throws `query-invalid`, `query-writes`, `limit-memory`, `source-damaged`. */
  stream(
    sql: string,
    parameters: Parameters,
  ): Promise<{ columns: string[]; batches: AsyncIterable<SqlValue[][]> }>
  close(): void
}

interface DuckOptions {
  readonly folders: readonly string[]
  /** A folder for what does not fit into memory. */
  readonly temporary: string
  readonly memory?: number | undefined
}

/** Fewer do not suffice for some saved questions, however small a dataset is. */
const MEMORY = 512e6

/**
 * Opens DuckDB in memory. Statements read the files of these folders only.
 *
 * @throws `package-missing`
 */
export async function openDuck(options: DuckOptions): Promise<DuckConnection> {
  const { folders, temporary, memory = MEMORY } = options
  const library = loadOptional<Library>('@duckdb/node-api')
  const instance = await library.DuckDBInstance.create(':memory:', {
    memory_limit: `${Math.min(memory, 2 ** 50)}B`,
    threads: '2',
    temp_directory: temporary,
    autoinstall_known_extensions: 'false',
    // As SQLite orders and divides.
    default_null_order: 'sqlite',
    integer_division: 'true',
  })
  const connection = await instance.connect()
  const allowed = folders.map((folder) => quoteText(`${resolve(folder)}/`)).join(', ')
  await connection.run(
    `SET TimeZone = 'UTC'; SET allowed_directories = [${allowed}]; SET enable_external_access = false; SET parquet_metadata_cache = true; SET lock_configuration = true`,
  )
  return {
    async run(sql) {
      await attempt(() => connection.run(sql))
    },
    async stream(sql, parameters) {
      if (!hasStatement(sql)) {
        throw new ArchiveError('query-invalid', 'expected a statement, found none')
      }
      const statements = await attempt(() => connection.extractStatements(sql))
      if (statements.count !== 1) {
        throw new ArchiveError('query-invalid', 'expected one statement, found several')
      }
      const prepared = await attempt(() => statements.prepare(0))
      // EXPLAIN ANALYZE runs what it explains, also what writes.
      if (prepared.statementType !== library.StatementType.SELECT) {
        throw new ArchiveError('query-writes', 'this statement does more than read')
      }
      bindAll(prepared, parameters)
      const result = await attempt(() => prepared.stream())
      return { columns: result.columnNames().map(asNamed), batches: batchesOf(result) }
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** The name that SQLite gives to a column without a name of its own. */
const asNamed = (name: string) => name.replace('count_star()', 'count(*)').replaceAll('sqlite_', '')

async function* batchesOf(result: Result): AsyncGenerator<SqlValue[][]> {
  const batches = result.yieldRows()[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await attempt(() => batches.next())
    if (done) return
    yield value.map((row) => row.map(asSqlValue))
  }
}

/** Binds the parameters that a statement has. */
function bindAll(prepared: Prepared, parameters: Parameters): void {
  for (let at = 1; at <= prepared.parameterCount; at++) {
    const name = prepared.parameterName(at)
    const value = (
      Array.isArray(parameters)
        ? parameters[at - 1]
        : (parameters as Record<string, SqlValue>)[name]
    ) as SqlValue | undefined
    if (value === undefined) {
      const named = /^\d+$/.test(name) ? 'a parameter without a name' : `the parameter :${name}`
      throw new ArchiveError('query-invalid', `${named} has no value`)
    }
    if (value === null) prepared.bindNull(at)
    else if (typeof value === 'bigint') prepared.bindBigInt(at, value)
    else if (typeof value === 'number') prepared.bindDouble(at, value)
    else if (typeof value === 'string') prepared.bindVarchar(at, value)
    else prepared.bindValue(at, value)
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // Behind the first line it shows the statement as it was translated.
    const [first = ''] = message.split('\n')
    const sentence = first.replace(/^(?:Failed to extract statements: )?[A-Z][\w ]* Error: /, '')
    throw new ArchiveError(codeOf(message), sentence, {}, error)
  }
}

function codeOf(message: string): 'limit-memory' | 'source-damaged' | 'query-invalid' {
  if (/^Out of Memory Error|longer than 0x1fffffe8 characters/.test(message)) return 'limit-memory'
  const isOfFile = IN_FILE.test(message) && !message.includes('Cannot access')
  return isOfFile ? 'source-damaged' : 'query-invalid'
}

/** What DuckDB says of a file that is no Parquet, or has columns of other types, begins or ends with its path. */
const IN_FILE = /[/\\]data\.parquet['"]/

/** A value as SQLite has it. */
function asSqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'boolean':
      return Number(value)
    case 'bigint':
      return BigInt.asIntN(54, value) === value ? Number(value) : value
    case 'number':
    case 'string':
      return value
    default:
      return value === null || value === undefined ? null : asText(value)
  }
}

/** Values of types that SQLite has not. */
function asText(value: object): SqlValue {
  if ('scale' in value && 'toDouble' in value) return (value as { toDouble(): number }).toDouble()
  if ('bytes' in value && value.bytes instanceof Uint8Array) return Buffer.from(value.bytes)
  return String(value)
}
