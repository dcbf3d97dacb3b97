import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { ArchiveError, type ErrorCode } from '../errors.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema-version.ts'

/** An open connection, as better-sqlite3 has it. */
export type Database = Sqlite.Database

/**
 * Opens a database that `loadArchive` made, to read unless `readonly` is false. Throws `database-not-found`,
 * `database-foreign`, `database-newer`, `database-older`, `database-damaged` or `database-busy`.
 */
export function openDatabase(path: string, { readonly = true } = {}): Database {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw fault('database-not-found', 'there is no such file', path)
  if (!stats.isFile()) throw fault('database-foreign', 'this is not a file', path)
  return translateErrors(path, () => {
    try {
      return openVerified(path, readonly)
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_READONLY_ROLLBACK') throw error
      // A load was killed here: whoever may write first makes the database what it was before.
      openVerified(path, false).close()
      return openVerified(path, readonly)
    }
  })
}

function openVerified(path: string, readonly: boolean): Database {
  const database = new Sqlite(path, { readonly, fileMustExist: true })
  try {
    verify(database, path)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

function verify(database: Database, path: string): void {
  const id = database.pragma('application_id', { simple: true })
  const version = Number(database.pragma('user_version', { simple: true }))
  if (id !== APPLICATION_ID) {
    throw fault('database-foreign', 'this database was not made by this program', path)
  }
  const found = `its schema has version ${version}, this program's has ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION) throw fault('database-newer', found, path)
  if (version < SCHEMA_VERSION) throw fault('database-older', found, path)
}

const CODES: Record<string, ErrorCode> = {
  SQLITE_NOTADB: 'database-foreign',
  SQLITE_CORRUPT: 'database-damaged',
  SQLITE_BUSY: 'database-busy',
  SQLITE_FULL: 'database-full',
  SQLITE_IOERR: 'database-damaged',
  // What cannot be written is not what is damaged.
  SQLITE_IOERR_WRITE: 'database-full',
  SQLITE_IOERR_FSYNC: 'database-full',
  SQLITE_IOERR_TRUNCATE: 'database-full',
  SQLITE_CANTOPEN: 'output-refused',
  SQLITE_READONLY: 'output-refused',
  SQLITE_PERM: 'output-refused',
}

/** Runs `work`, which is statements of our own, and turns what SQLite throws into an `ArchiveError`. */
export function translateErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fromOwnSql(error, path)
  }
}

/** What SQLite says of a file as an `ArchiveError`; anything else as it is. */
export function fromSqlite(error: unknown, path: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const code = CODES[error.code] ?? CODES[error.code.split('_').slice(0, 2).join('_')]
  return code ? new ArchiveError(code, error.message, { archive: path }, error) : error
}

/** The same of statements of our own, which miss a table or column only where somebody took it away. */
export function fromOwnSql(error: unknown, path: string): unknown {
  if (!(error instanceof Sqlite.SqliteError) || !/^no such (table|column)/.test(error.message)) {
    return fromSqlite(error, path)
  }
  return new ArchiveError('database-damaged', error.message, { archive: path }, error)
}

const fault = (code: ErrorCode, message: string, path: string) =>
  new ArchiveError(code, message, { archive: path })
