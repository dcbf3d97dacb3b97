import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ArchiveError } from '../errors.ts'
import { partialOf, removeStale } from '../files/partial-file.ts'
import { attemptSync, isThere, publishFile } from '../files/write-file.ts'
import { type Database, openConnection } from './connection.ts'
import { openDatabase } from './open-database.ts'
import { createSchema } from './schema/schema.ts'
import { APPLICATION_ID } from './schema/schema-version.ts'

/** A database that is being loaded into; until `commit` nothing of it shows under its name. */
export interface LoadTransaction {
  database: Database
  /** Whether the database was empty, without indexes yet. */
  isNew: boolean
  commit(): void
  /** Leaves everything as it was. Does nothing after `commit`. */
  abandon(): void
}

/**
 * Opens the database at `path` to be changed in one transaction; or makes one, beside its name and renamed by
 * `commit`, if there is none or `replace` is set.
 */
export function openLoadTransaction(path: string, { replace = false } = {}): LoadTransaction {
  return attemptSync(path, () => open(path, replace))
}

function open(path: string, replace: boolean): LoadTransaction {
  // That a name leaves no room for what SQLite appends to it is not to come up after hours.
  for (const log of LOGS) lstatSync(path + log, { throwIfNoEntry: false })
  if (replace) refuseForeign(path)
  else if (isThere(path) && !existsSync(path)) {
    const message = 'what is there is a link that leads nowhere, and stays'
    throw new ArchiveError('output-refused', message, { archive: path })
  }
  removeStale(path)
  return replace || !existsSync(path) ? openNew(path, replace) : openExisting(path)
}

/** Refuses to replace what is not a database of ours, of whatever version and state, or empty. */
function refuseForeign(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || (stats.isFile() && stats.size === 0)) return
  if (stats.isFile()) {
    const header = Buffer.alloc(100)
    const file = openSync(path, 'r')
    readSync(file, header)
    closeSync(file)
    // The format of SQLite's files: the application id is at byte 68.
    const isSqlite = header.toString('latin1', 0, 16) === 'SQLite format 3\0'
    if (isSqlite && header.readUInt32BE(68) === APPLICATION_ID) return
  }
  const message = 'what is there is no database of this program, and stays'
  throw new ArchiveError('database-foreign', message, { archive: path })
}

function openExisting(path: string): LoadTransaction {
  const database = openDatabase(path, { readonly: false })
  // One transaction spans the whole load, awaits and all: the connection is ours alone.
  database.exec('BEGIN IMMEDIATE')
  return {
    database,
    isNew: false,
    commit: () => {
      database.exec('COMMIT')
      database.close()
    },
    abandon: () => {
      // Closing rolls back, but leaves it to the next reader where the disk was full.
      if (database.inTransaction) database.exec('ROLLBACK')
      database.close()
    },
  }
}

function openNew(path: string, replace: boolean): LoadTransaction {
  if (!existsSync(dirname(path))) {
    throw new ArchiveError('output-refused', 'there is no such folder', { archive: path })
  }
  const partial = partialOf(path)
  const database = openConnection(partial, { name: path })
  const abandon = () => {
    database.close()
    rmSync(partial, { force: true })
    rmSync(`${partial}-journal`, { force: true })
  }
  try {
    prepareNew(database)
  } catch (error) {
    abandon()
    throw error
  }
  return {
    database,
    isNew: true,
    commit: () => {
      database.exec('COMMIT')
      database.close()
      attemptSync(path, () => {
        sync(partial)
        if (replace || !existsSync(path)) removeLogs(path)
        publishFile(partial, path, { force: replace })
      })
    },
    abandon,
  }
}

function prepareNew(database: Database): void {
  // Nobody else sees this file, and after a crash nobody wants it: what is written need not be safe yet.
  database.pragma('synchronous = OFF')
  database.pragma('locking_mode = EXCLUSIVE')
  // Indexes are made from tables that are larger than any cache: larger pages are fewer to read, and to fill.
  database.pragma('page_size = 16384')
  database.pragma('cache_size = -4096')
  database.exec('BEGIN')
  createSchema(database)
}

const LOGS = ['-journal', '-wal', '-shm']

/** What a crash has left of an earlier database under this name, which SQLite would play back into a new one. */
function removeLogs(path: string): void {
  for (const log of LOGS) rmSync(path + log, { force: true })
}

function sync(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
