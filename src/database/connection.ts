/**
 * The only module that opens SQLite. A database is as untrusted as an archive: every connection is strict, throws only
 * `ArchiveError`, and returns values of the declared types only.
 */

import Sqlite from 'better-sqlite3'
import { ArchiveError, type ErrorCode } from '../base/errors.ts'
import type { Database, Transaction } from './database.ts'

export type { Database } from './database.ts'

type SqliteError = InstanceType<typeof Sqlite.SqliteError>

/**
 * Opens a database file, or a database from its bytes. It and all methods of the connection throw `ArchiveError`; `name`
 * is the file name in the errors.
 */
export function openConnection(
  source: string | Buffer,
  {
    name = typeof source === 'string' ? source : ':memory:',
    ...options
  }: Sqlite.Options & { name?: string } = {},
): Database {
  return guard(name, () => {
    const database = guardConnection(new Sqlite(source, options), name)
    database.pragma('trusted_schema = OFF')
    database.pragma('cell_size_check = ON')
    return database
  })
}

/**
 * Opens an empty database in a temporary file, which is gone when it is closed; after an error, close it. Several are open at
 * once beside a database: SQLite would give each of them, and each of their sorts, 16 MB.
 */
export function openTemporary(): Database {
  const database = openConnection('')
  database.pragma('cache_size = -4096')
  return database
}

/** Runs `work` and translates errors of SQLite. */
function guard<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translate(error, name)
  }
}

const dependents = new WeakMap<Database, Set<{ close(): void }>>()

/** What is closed with a connection; undefined if `openConnection` did not open it. */
export const dependentsOf = (database: Database): Set<{ close(): void }> | undefined =>
  dependents.get(database)

function guardConnection(database: Sqlite.Database, name: string): Database {
  const { prepare, exec, pragma, serialize, transaction, close } = database
  const closedWith = new Set<{ close(): void }>()
  const guarded: Database = Object.assign(database, {
    prepare: (sql: string) =>
      guard(name, () => guardStatement(prepare.call(database, sql) as Sqlite.Statement, name)),
    exec: (sql: string) => guard(name, () => exec.call(database, sql)),
    pragma: (sql: string, options?: Sqlite.PragmaOptions) =>
      guard(name, () => pragma.call(database, sql, options)),
    serialize: (options?: Sqlite.SerializeOptions) =>
      guard(name, () => serialize.call(database, options)),
    transaction: (work: (...given: unknown[]) => unknown) =>
      guardTransaction(
        guard(name, () => transaction.call(database, work)),
        name,
      ),
    close: () => {
      const closed = guard(name, () => close.call(database))
      for (const dependent of closedWith) dependent.close()
      return closed
    },
  })
  dependents.set(guarded, closedWith)
  return guarded
}

/** Begin and end of a transaction throw `ArchiveError`. What its own work throws stays as it is. */
function guardTransaction(work: Sqlite.Transaction, name: string): Transaction<unknown[], unknown> {
  const guarded =
    (run: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      try {
        return run(...given)
      } catch (error) {
        throw error instanceof ArchiveError ? error : translate(error, name)
      }
    }
  return Object.assign(guarded(work), { immediate: guarded(work.immediate) })
}

/** Makes a statement throw `ArchiveError` and check the types of the values it reads. */
function guardStatement(statement: Sqlite.Statement, name: string): Sqlite.Statement {
  const { run, get, all, iterate, pluck } = statement
  let isPlucked = false
  let check: RowCheck | undefined
  const checked = <Row>(row: Row): Row => {
    if (row === undefined) return row
    check ??= checkOf(statement.columns())
    check(row, isPlucked)
    return row
  }
  return Object.assign(statement, {
    run: (...values: unknown[]) => {
      try {
        return run.apply(statement, values)
      } catch (error) {
        throw translate(error, name)
      }
    },
    get: (...values: unknown[]) => guard(name, () => checked(get.apply(statement, values))),
    all(...values: unknown[]) {
      return guard(name, () => {
        const rows = all.apply(statement, values)
        for (const row of rows) checked(row)
        return rows
      })
    },
    *iterate(...values: unknown[]) {
      try {
        for (const row of iterate.apply(statement, values)) yield checked(row)
      } catch (error) {
        throw translate(error, name)
      }
    },
    pluck(toggle = true) {
      isPlucked = toggle
      return pluck.call(statement, toggle)
    },
  })
}

type RowCheck = (row: unknown, isPlucked: boolean) => void

/**
 * Throws `database-damaged` for a value that does not have the declared type of its column: SQLite stores any value in
 * any column. Rows read as arrays, such as records and query results, are not checked.
 */
function checkOf(columns: readonly Sqlite.ColumnDefinition[]): RowCheck {
  const declared = columns.flatMap(({ name, table, column, type }) => {
    const isRowid = ROWIDS.test(`${table}.${column}`)
    const isType = isRowid ? isExact : TYPES[/^\w+/.exec(type ?? '')?.[0].toUpperCase() ?? '']
    const what = isRowid ? 'holds a rowid beyond 2⁵³' : `holds no ${type}`
    return isType ? [{ name, isType, what: `${table}.${column} ${what}` }] : []
  })
  const first = columns[0]?.name
  return (row, isPlucked) => {
    if (Array.isArray(row)) return
    for (const { name, isType, what } of declared) {
      if (isPlucked && name !== first) return
      const value = isPlucked ? row : (row as Record<string, unknown>)[name]
      if (value !== null && !isType(value)) throw new ArchiveError('database-damaged', what)
      if (typeof value === 'string' && value.length > MOST_TEXT) throw tooLong(name)
    }
  }
}

/** Characters of a text, at most; a load accepts no record that is as large. */
const MOST_TEXT = 64 * 2 ** 20

const tooLong = (name: string) =>
  new ArchiveError('database-damaged', `${name} has more than ${MOST_TEXT} characters`)

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  TEXT: (value) => typeof value === 'string',
  INTEGER: (value) => Number.isInteger(value) || typeof value === 'bigint',
  BLOB: (value) => value instanceof Uint8Array,
}

/** Columns with rowids of our own tables, and of any table. As a number, one beyond 2⁵³ would be that of another row. */
const ROWIDS =
  /^(?:.*\.rowid|(?:archives|entries|tar_headers|files|chunks)\.id|file_chunks\.(?:file|chunk))$/su

const isExact = (value: unknown) => Number.isSafeInteger(value) || typeof value === 'bigint'

const CODES: Readonly<Record<string, ErrorCode>> = {
  SQLITE_NOTADB: 'database-foreign',
  SQLITE_CORRUPT: 'database-damaged',
  SQLITE_BUSY: 'database-busy',
  SQLITE_LOCKED: 'database-busy',
  SQLITE_FULL: 'database-full',
  SQLITE_IOERR: 'database-damaged',
  // A failed write does not mean that the file is damaged.
  SQLITE_IOERR_WRITE: 'database-full',
  SQLITE_IOERR_FSYNC: 'database-full',
  SQLITE_IOERR_TRUNCATE: 'database-full',
  SQLITE_CANTOPEN: 'output-refused',
  SQLITE_READONLY: 'database-read-only',
  SQLITE_PERM: 'output-refused',
}

/** The code for an error of SQLite that is about the file; undefined if it is about the statement. */
export function fileError(error: unknown): ErrorCode | undefined {
  const code = sqliteError(error)?.code
  return code === undefined
    ? undefined
    : (CODES[code] ?? CODES[code.split('_').slice(0, 2).join('_')])
}

/** The error of SQLite behind an error, if there is one. */
export function sqliteError(error: unknown): SqliteError | undefined {
  const cause = error instanceof ArchiveError ? error.cause : error
  return cause instanceof Sqlite.SqliteError ? cause : undefined
}

/** Errors that better-sqlite3 throws for the way in which a connection is used. */
const MISUSES: readonly [fault: RegExp, code: ErrorCode, message: string][] = [
  [/connection is not open$/, 'option-invalid', 'the database is closed'],
  [/ is busy executing /, 'database-busy', 'rows of this connection are still being read'],
]

/** Our own statements fail only if the file is damaged or its schema was changed. */
function translate(error: unknown, name: string): unknown {
  if (error instanceof ArchiveError) return error.at({ archive: name })
  const misuse = error instanceof TypeError && MISUSES.find(([fault]) => fault.test(error.message))
  if (misuse) return new ArchiveError(misuse[1], misuse[2], { archive: name }, error)
  if (!(error instanceof Sqlite.SqliteError) || error.code === 'SQLITE_MISUSE') return error
  const code = fileError(error) ?? 'database-damaged'
  return new ArchiveError(code, error.message, { archive: name }, error)
}
