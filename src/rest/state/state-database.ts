import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ArchiveError, type ErrorCode } from '../../base/errors.ts'
import { type Database, openConnection } from '../../database/connection.ts'
import { attemptSync } from '../../files/attempt.ts'
import { checkOwnContents, checkPlace, makeOwnFolder } from '../../files/own-folder.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { isThere } from '../../files/write-file.ts'
import { IN_MEMORY } from './state-folder.ts'
import { IMPORT_TABLES, STATE_APPLICATION_ID, STATE_TABLES, STATE_VERSION } from './state-tables.ts'

/** The state of a server: an open state.db, and the folder of the archives that it has built. */
export interface StateDatabase {
  readonly database: Database
  /** Holds what is built and uploaded. Undefined if nothing may be written and there is none. */
  readonly folder: string | undefined
  /** Holds built archives; made when the first is built. Undefined if nothing may be written and there is none. */
  readonly archives: string | undefined
  readonly readOnly: boolean
  /** Signs addresses: 32 random bytes, the same for all servers of the state. */
  readonly signingKey: Buffer
  /**
   * Runs `work` in one exclusive transaction, and rolls it back if it throws. Throws
   * `database-busy` if another server has not finished after five seconds, `database-read-only` or `database-full`.
   */
  write<T>(work: () => T): T
  close(): void
}

// Transactions take milliseconds, most of which the disk needs.
const PATIENCE = 5000

/**
 * Opens the state in a folder, which several servers may use at once, and makes it if it is not there.
 *
 * @param folder the folder, or `:memory:`
 * @param options `readOnly` changes nothing: without a state it is as if empty
 * @throws `folder-foreign` if another user owns the folder or may replace it; `folder-linked` if it is or holds a link; `state-foreign` or `state-newer` for a folder of another program or version; `output-refused`,
 *   `database-damaged`, `database-busy` or `database-full`
 */
export function openStateDatabase(folder: string, { readOnly = false } = {}): StateDatabase {
  if (folder === IN_MEMORY) return openInMemory({ readOnly })
  const path = join(resolve(folder), 'state.db')
  checkStateFolder(folder)
  if (!readOnly) makeOwnFolder(folder, { isInner: true })
  if (readOnly) return openUnchanged(path, resolve(folder))
  makeFile(path)
  const database = openConnection(path, { timeout: PATIENCE })
  return withDatabase(database, () => {
    if (!isNew(database)) refuseOthers(database, path)
    patiently(() => database.pragma('journal_mode = WAL'))
    database.pragma('synchronous = FULL')
    prepareTables(database, path)
    return createState(database, { folder: resolve(folder), readOnly })
  })
}

function openInMemory({ readOnly }: { readOnly: boolean }): StateDatabase {
  const database = openConnection(IN_MEMORY)
  return withDatabase(database, () => {
    prepareTables(database, IN_MEMORY)
    if (readOnly) return createState(database, { folder: undefined, readOnly })
    const temporary = makeTemporaryFolder()
    const state = createState(database, { folder: temporary.path, readOnly })
    const close = () => {
      state.close()
      temporary.remove()
    }
    return { ...state, close }
  })
}

/** Opens a state without changing it. Changes by another server are seen only if that server uses it already. */
function openUnchanged(path: string, folder: string): StateDatabase {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (!isThere) return openInMemory({ readOnly: true })
  const isInUse = statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined
  const database = isInUse
    ? openConnection(path, { readonly: true, fileMustExist: true, timeout: PATIENCE })
    : openConnection(withoutJournal(readFileSync(path)), { name: path, readonly: true })
  return withDatabase(database, () => {
    refuseOthers(database, path)
    return createState(database, { folder, readOnly: true })
  })
}

/** The bytes of a database marked as having no write-ahead log: otherwise SQLite would create one next to it. */
function withoutJournal(bytes: Buffer): Buffer {
  if (bytes.length >= 20) bytes.fill(1, 18, 20)
  return bytes
}

function withDatabase(database: Database, open: () => StateDatabase): StateDatabase {
  try {
    return open()
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Checks the folder of a state, if it is there: whoever plants a token or an index in it reads what callers may not.
 *
 * @throws `folder-foreign`, `folder-linked`
 */
export function checkStateFolder(folder: string): void {
  checkPlace(folder)
  if (isThere(folder)) checkOwnContents(folder)
}

/**
 * Makes an empty file that only its user can read: SQLite gives the files next to it the same permissions. An existing one
 * is not opened, as closing it would release the locks of another server in this program.
 */
function makeFile(path: string): void {
  attemptSync(path, () => {
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  })
}

/** Retries while another server does the same: SQLite does not wait for a change of the journal mode. */
function patiently(work: () => void): void {
  const end = performance.now() + PATIENCE
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const isBusy = error instanceof ArchiveError && error.code === 'database-busy'
      if (!isBusy || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function prepareTables(database: Database, path: string): void {
  inTransaction(database, () => {
    if (isNew(database)) {
      database.exec(STATE_TABLES)
      database.pragma(`application_id = ${STATE_APPLICATION_ID}`)
      database
        .prepare("INSERT INTO secrets (name, value) VALUES ('signing key', ?)")
        .run(randomBytes(32))
    }
    if (versionOf(database) < STATE_VERSION) {
      database.exec(IMPORT_TABLES)
      database.pragma(`user_version = ${STATE_VERSION}`)
    }
  })
  refuseOthers(database, path)
}

const versionOf = (database: Database): number =>
  Number(database.pragma('user_version', { simple: true }))

const isNew = (database: Database): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined &&
  database.pragma('application_id', { simple: true }) === 0

function refuseOthers(database: Database, path: string): void {
  if (database.pragma('application_id', { simple: true }) !== STATE_APPLICATION_ID) {
    throw fault('state-foreign', 'this is not the state of a server', path)
  }
  const version = versionOf(database)
  if (version > STATE_VERSION) {
    const found = `the state has version ${version}, this program's has ${STATE_VERSION}`
    throw fault('state-newer', found, path)
  }
}

function createState(
  database: Database,
  { folder, readOnly }: Pick<StateDatabase, 'folder' | 'readOnly'>,
): StateDatabase {
  const signingKey = database
    .prepare<[], Buffer>("SELECT value FROM secrets WHERE name = 'signing key'")
    .pluck()
    .get()
  return {
    database,
    folder,
    archives: folder === undefined ? undefined : join(folder, 'archives'),
    readOnly,
    signingKey: signingKey ?? randomBytes(32),
    write: (work) => inTransaction(database, work),
    close: () => void database.close(),
  }
}

function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const fault = (code: ErrorCode, message: string, path: string) =>
  new ArchiveError(code, message, { archive: path })
