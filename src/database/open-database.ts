import { statSync } from 'node:fs'
import { aFlag, aPath, checkArguments, checkOptions } from '../base/check-arguments.ts'
import { ArchiveError, type ErrorCode } from '../base/errors.ts'
import { openConnection, sqliteError } from './connection.ts'
import type { Database } from './database.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema/schema-version.ts'
import { secureConnection } from './secure-connection.ts'

export type { Database } from './database.ts'

/** How to open a database. */
export interface OpenDatabaseOptions {
  /** Open it for reading only. Default true. */
  readonly?: boolean | undefined
}

/**
 * Opens a database created by `loadArchive`, read-only by default. Close it after use. Of a database with other views than
 * ours under their names, ours are used. Refuses one in which something else stands in the place of our tables and, if it
 * is to be written, one with triggers: they would run with what is written.
 *
 * @param path the database file
 * @param options `readonly: false` to change it
 * @returns an open connection
 * @throws `database-not-found`, `database-foreign`, `database-newer`, `database-older`, `database-damaged`,
 *   `database-busy` or `option-invalid`
 * @example
 * const database = openDatabase('archive.db')
 * const count = database.prepare('SELECT count(*) FROM issues').pluck().get()
 */
export function openDatabase(path: string, options: OpenDatabaseOptions = {}): Database {
  checkArguments({ path }, { path: aPath })
  checkOptions(options, { readonly: aFlag })
  const { readonly = true } = options
  const stats = statOf(path)
  if (!stats) throw fault('database-not-found', 'there is no such file', path)
  if (!stats.isFile()) throw fault('database-foreign', 'this is not a file', path)
  try {
    return openVerified(path, readonly)
  } catch (error) {
    if (sqliteError(error)?.code !== 'SQLITE_READONLY_ROLLBACK') throw error
    // A load was killed: the first connection that may write rolls it back.
    openVerified(path, false).close()
    return openVerified(path, readonly)
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // The name is impossible, or a parent folder is not accessible.
    throw fault('database-not-found', (error as Error).message, path)
  }
}

function openVerified(path: string, readonly: boolean): Database {
  const database = openConnection(path, { readonly, fileMustExist: true })
  try {
    verify(database, path)
    secureConnection(database, { writes: !readonly })
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

const fault = (code: ErrorCode, message: string, path: string) =>
  new ArchiveError(code, message, { archive: path })
