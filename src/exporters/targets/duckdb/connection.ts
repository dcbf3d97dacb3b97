import { closeSync, openSync, readSync } from 'node:fs'
import { totalmem } from 'node:os'
import { ArchiveError } from '../../../base/errors.ts'
import { loadOptional } from '../../../base/optional-package.ts'
import { quoteText } from '../../../database/quote.ts'
import { attemptSync } from '../../../files/attempt.ts'

/** The part of the package @duckdb/node-api that we use. */
interface Library {
  DuckDBInstance: { create(path: string, settings: Record<string, string>): Promise<Instance> }
}

interface Instance {
  connect(): Promise<{
    run(sql: string, values?: string[]): Promise<{ rowsChanged: number }>
    runAndReadAll(sql: string, values?: string[]): Promise<{ getRowObjectsJson(): unknown[] }>
    closeSync(): void
  }>
  closeSync(): void
}

export interface Connection {
  /** The rows of a query, as JSON has them. */
  query<Row>(sql: string, values?: string[]): Promise<Row[]>
  /** Runs statements. Returns how many rows the last one changed. */
  run(sql: string, values?: string[]): Promise<number>
}

/** Throws `package-missing`. */
export const loadDuckDb = (): Library => loadOptional<Library>('@duckdb/node-api')

interface Options {
  readOnly?: boolean
  /** A folder for what does not fit into memory. Default: one beside the file. */
  temporary?: string
  /** The name of the file in errors. */
  name?: string
}

/**
 * Opens a DuckDB file, and closes it after the work. DuckDB lets one process at a time write a file, so the caller has its
 * lock.
 *
 * @param work is done again, with more memory, for as long as DuckDB has too little, up to half of the machine's: a
 *   commit holds all long texts of a row group
 * @throws `target-failed` with DuckDB's message, `output-full`
 */
export async function withDuckDb<T>(
  path: string,
  options: Options,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  for (let memory = options.readOnly ? READ_MEMORY : WRITE_MEMORY; ; memory *= 4) {
    try {
      return await withMemory(path, memory, options, work)
    } catch (error) {
      const isTooLittle = error instanceof ArchiveError && TOO_LITTLE.test(error.message)
      if (!isTooLittle || memory * 8 > totalmem()) throw error
    }
  }
}

async function withMemory<T>(
  path: string,
  memory: number,
  { readOnly = false, temporary = `${path}.tmp`, name = path }: Options,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { DuckDBInstance } = loadDuckDb()
  const attempt = async <R>(asked: Promise<R>): Promise<R> => {
    try {
      return await asked
    } catch (error) {
      throw asArchiveError(error, name)
    }
  }
  const settings = {
    ...SETTINGS,
    memory_limit: `${memory / 2 ** 20}MiB`,
    temp_directory: temporary,
  }
  const instance = await attempt(
    readOnly
      ? DuckDBInstance.create(path, { ...settings, ...READING })
      : DuckDBInstance.create(':memory:', { ...settings, ...WRITING }),
  )
  try {
    const connection = await attempt(instance.connect())
    try {
      if (!readOnly) {
        const file = `${quoteText(path)} AS file (ROW_GROUP_SIZE ${ROW_GROUP})`
        await attempt(connection.run(`ATTACH ${file}; USE file`))
      }
      return await work({
        query: async <Row>(sql: string, values?: string[]) =>
          (await attempt(connection.runAndReadAll(sql, values))).getRowObjectsJson() as Row[],
        run: async (sql, values) => (await attempt(connection.run(sql, values))).rowsChanged,
      })
    } finally {
      connection.closeSync()
    }
  } finally {
    // Writes what is in the log into the file.
    instance.closeSync()
  }
}

const SETTINGS = {
  // It would download them.
  autoinstall_known_extensions: 'false',
}

const READING = { access_mode: 'READ_ONLY', threads: '2' }

const WRITING = {
  // Two threads take 1.5 times as much of the processors for the commit of a small archive, and hold more.
  threads: '1',
  // A commit holds a block for each column of each table that it adds to: with blocks of 256 KiB, those take 280 MiB. An
  // existing file keeps its own size.
  default_block_size: '16384',
  write_buffer_row_group_count: '1',
}

/** Bytes that are enough for DuckDB, unless there are many long texts. */
const READ_MEMORY = 256 * 2 ** 20
const WRITE_MEMORY = 64 * 2 ** 20

/** A commit holds a row group of each table, to add rows to it. By itself DuckDB gives them 122,880 rows. */
const ROW_GROUP = 8192

/** The messages of DuckDB if it has too little memory. */
const TOO_LITTLE = /Out of Memory Error|(?:failed to|could not) (?:pin|allocate)/

function asArchiveError(error: unknown, path: string): ArchiveError {
  const message = error instanceof Error ? error.message : String(error)
  // DuckDB gives its temporary files as much as the disk has, and calls that a limit.
  const isFull =
    /No space left on device|Disk quota exceeded|File too large|max_temp_directory_size/i.test(
      message,
    )
  return new ArchiveError(
    isFull ? 'output-full' : 'target-failed',
    message,
    { archive: path },
    error,
  )
}

/** Whether a file begins as a DuckDB database does. */
export function isDuckDb(path: string): boolean {
  const head = Buffer.alloc(12)
  attemptSync(path, () => {
    const file = openSync(path, 'r')
    try {
      readSync(file, head)
    } finally {
      closeSync(file)
    }
  })
  return head.toString('latin1', 8) === 'DUCK'
}
