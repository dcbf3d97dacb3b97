import { closeSync, openSync, readSync } from 'node:fs'
import { ArchiveError } from '../../../base/errors.ts'
import { loadOptional } from '../../../base/optional-package.ts'
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

/**
 * Opens a DuckDB file, and closes it after the work. DuckDB lets one process at a time write a file, so the caller has its
 * lock.
 *
 * @param temporary a folder for what does not fit into memory
 * @param name of the file in errors
 * @throws `target-failed` with DuckDB's message, `output-full`
 */
export async function withDuckDb<T>(
  path: string,
  {
    readOnly = false,
    temporary,
    name = path,
  }: { readOnly?: boolean; temporary?: string; name?: string },
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
  const instance = await attempt(
    DuckDBInstance.create(path, {
      ...SETTINGS,
      ...(readOnly && { access_mode: 'READ_ONLY' }),
      ...(temporary !== undefined && { temp_directory: temporary }),
    }),
  )
  try {
    const connection = await attempt(instance.connect())
    try {
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
  memory_limit: '256MB',
  threads: '2',
  // A commit holds a block for each column of each table that it adds to: with blocks of 256 KiB, those take 280 MiB. An
  // existing file keeps its own size.
  default_block_size: '16384',
  // It would download them.
  autoinstall_known_extensions: 'false',
}

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
