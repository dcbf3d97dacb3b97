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
import { ArchiveError } from '../base/errors.ts'
import { attemptSync } from '../files/attempt.ts'
import { partialOf, removeStale } from '../files/partial-file.ts'
import { isThere, publishFile } from '../files/write-file.ts'
import { type BulkLoad, openBulkLoad } from './bulk/bulk-load.ts'
import { type Database, openConnection } from './connection.ts'
import { openDatabase } from './open-database.ts'
import { createSchema } from './schema/schema.ts'
import { APPLICATION_ID } from './schema/schema-version.ts'

/** A load into a database. Nothing is visible under its name until `commit`. */
export interface LoadTransaction {
  database: Database
  /** Writes the records of a new database; an existing one has none. */
  bulk?: BulkLoad
  commit(): void
  /** Leaves everything as it was. Must not follow `commit`. */
  abandon(): void
}

/**
 * Opens the database at `path` for one transaction. If there is none, or with `replace`, creates one under a temporary
 * name that `commit` renames.
 */
export function openLoadTransaction(path: string, { replace = false } = {}): LoadTransaction {
  return attemptSync(path, () => open(path, replace))
}

function open(path: string, replace: boolean): LoadTransaction {
  // Fail now, not after hours, if the name is too long for the suffixes that SQLite appends.
  for (const log of LOGS) lstatSync(path + log, { throwIfNoEntry: false })
  if (replace) refuseForeign(path)
  else if (isThere(path) && !existsSync(path)) {
    const message = 'a dangling symbolic link has this name, and stays'
    throw new ArchiveError('output-refused', message, { archive: path })
  }
  removeStale(path)
  return replace || !existsSync(path) ? openNew(path, replace) : openExisting(path)
}

/** Refuses to replace anything but an empty file or a database of this program, in any version and state. */
function refuseForeign(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || (stats.isFile() && stats.size === 0)) return
  if (stats.isFile()) {
    const header = Buffer.alloc(100)
    const file = openSync(path, 'r')
    readSync(file, header)
    closeSync(file)
    // In SQLite's file format, the application id is at byte 68.
    const isSqlite = header.toString('latin1', 0, 16) === 'SQLite format 3\0'
    if (isSqlite && header.readUInt32BE(68) === APPLICATION_ID) return
  }
  const message = 'the file is not a database of this program, and stays'
  throw new ArchiveError('database-foreign', message, { archive: path })
}

function openExisting(path: string): LoadTransaction {
  const database = openDatabase(path, { readonly: false })
  // One transaction spans the whole load, across awaits: no other code has this connection.
  database.exec('BEGIN IMMEDIATE')
  return {
    database,
    commit: () => {
      database.exec('COMMIT')
      database.close()
    },
    abandon: () => {
      // Closing alone would leave the rollback to the next reader if the disk is full.
      if (database.inTransaction) database.exec('ROLLBACK')
      database.close()
    },
  }
}

function openNew(path: string, replace: boolean): LoadTransaction {
  if (!existsSync(dirname(path))) {
    throw new ArchiveError('output-refused', 'no such folder', { archive: path })
  }
  const partial = partialOf(path)
  const database = openConnection(partial, { name: path })
  let bulk: BulkLoad | undefined
  const abandon = () => {
    bulk?.close()
    database.close()
    rmSync(partial, { force: true })
    rmSync(`${partial}-journal`, { force: true })
  }
  try {
    prepareNew(database)
    bulk = openBulkLoad(database, partial, path)
  } catch (error) {
    abandon()
    throw error
  }
  return {
    database,
    bulk,
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
  // Nobody else uses this file, and after a crash it is discarded: it need not be durable yet.
  database.pragma('synchronous = OFF')
  // Indexes are built from tables larger than any cache: large pages mean fewer reads.
  database.pragma('page_size = 16384')
  database.pragma('cache_size = -4096')
  database.exec('BEGIN')
  createSchema(database)
}

const LOGS = ['-journal', '-wal', '-shm']

/** Removes journals that a crash left next to an earlier database: SQLite would replay them into the new one. */
function removeLogs(path: string): void {
  for (const log of LOGS) rmSync(path + log, { force: true })
}

function sync(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
