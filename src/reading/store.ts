import { basename } from 'node:path'
import type { Database, Statement } from '../database/database.ts'
import { refuseLargeRow } from '../database/large-row.ts'
import { openDatabase } from '../database/open-database.ts'
import { type Memo, Remembered } from './remembered.ts'

export { Memo } from './remembered.ts'

/** A value that SQLite returns for one column. An archive database is untrusted: any column may hold any of them. */
export type Value = string | number | Uint8Array | null
/** A row as an array, in the order of its columns. */
export type Row = readonly Value[]
/** A value of a parameter; a bigint for a rowid, which may be any 64-bit number. */
export type Parameter = Value | bigint

/** The state that all stores of a connection share. */
interface Connection {
  readonly database: Database
  /** By mode and SQL: preparing a statement takes longer than most of them run. */
  readonly statements: Map<string, Statement<unknown[], unknown>>
  /** Values that `once` made, by the functions that made them. */
  readonly made: Map<(store: Store) => unknown, unknown>
  readonly isBorrowed: boolean
}

const toConnection = (database: Database): Connection => ({
  database,
  statements: new Map(),
  made: new Map(),
  isBorrowed: false,
})

/** A store for each connection that was borrowed. */
const borrowed = new WeakMap<Database, Store>()

/** How a statement returns rows: as objects, as arrays, or the first columns alone, as bigints. */
type Mode = 'objects' | 'rows' | 'rowids'

/**
 * A parameter as an operand. SQLite prepares a statement anew whenever a parameter is bound that a join compares with a
 * column, or that limits rows, because its plan might depend on the value. For a view of facts that takes 0.2 ms, ten times
 * as long as its answer; of an operand it knows that it does not depend on it.
 */
const operandOf = (value: Parameter): string =>
  typeof value === 'string' ? "(? || '')" : typeof value === 'object' ? '?' : '(? + 0)'

/** Texts and names in SQL, and parameters. */
const PARTS = /'[^']*'|"[^"]*"|\?/g

function withOperands(sql: string, operands: readonly string[]): string {
  let position = 0
  return sql.replace(PARTS, (part) => (part === '?' ? (operands[position++] ?? part) : part))
}

/** One database with its prepared statements, and what is remembered of it. */
export class Store {
  readonly #connection: Connection
  readonly #remembered: Remembered
  #title: string | undefined

  private constructor(connection: Connection, remembered: Remembered) {
    this.#connection = connection
    this.#remembered = remembered
  }

  /**
   * Opens a database read-only.
   *
   * @param path a database that `loadArchive` created
   * @param remembered where values are remembered, together with those of other stores
   * @throws `ArchiveError` as `openDatabase`
   */
  static open(path: string, remembered: Remembered): Store {
    return Store.of(openDatabase(path), remembered)
  }

  /**
   * Takes a connection, which is closed with the store.
   *
   * @param options.isFrozen nobody writes to its file: one transaction lasts until it is closed, and questions need no locks
   */
  static of(
    database: Database,
    remembered: Remembered,
    { isFrozen = false }: { isFrozen?: boolean } = {},
  ): Store {
    if (isFrozen && !database.inTransaction) database.exec('BEGIN')
    return new Store(toConnection(database), remembered.apart())
  }

  /** Reads over a connection of somebody else, in whatever transaction that is, and closes nothing. */
  static borrow(database: Database): Store {
    const known = borrowed.get(database)
    if (known) return known
    const store = new Store({ ...toConnection(database), isBorrowed: true }, new Remembered())
    borrowed.set(database, store)
    return store
  }

  /** The same connection for readers who see something else: what they remember is kept apart. */
  apart(): Store {
    return new Store(this.#connection, this.#remembered.apart())
  }

  get database(): Database {
    return this.#connection.database
  }

  /** Its file name without the ending, which addresses name it by. */
  get file(): string {
    return basename(this.database.name, '.db')
  }

  /** The name of its archive, because nobody knows that of a cached database; of several or of a stream, its file name. */
  get title(): string {
    this.#title ??= this.#nameOfArchive()
    return this.#title
  }

  #nameOfArchive(): string {
    const [archive, ...others] = this.all<{ name: string }>('SELECT name FROM archives LIMIT 2')
    const isNamed = archive && others.length === 0 && archive.name !== 'standard input'
    return isNamed ? archive.name : basename(this.database.name)
  }

  /** Calls `make` once for a connection, and returns its value. It is the same for all viewers: it may hold private records. */
  once<Made>(make: (store: Store) => Made): Made {
    const { made } = this.#connection
    if (!made.has(make)) made.set(make, make(this))
    return made.get(make) as Made
  }

  /** Rows as objects. A value that does not have the declared type of its column throws `database-damaged`. */
  all<Found = Record<string, unknown>>(sql: string, ...values: Parameter[]): Found[] {
    return this.#prepare(sql, 'objects', values).all(...values) as Found[]
  }

  /** The first row as an object. */
  get<Found = Record<string, unknown>>(sql: string, ...values: Parameter[]): Found | undefined {
    return this.#prepare(sql, 'objects', values).get(...values) as Found | undefined
  }

  /** Rows as objects one after another: memory does not grow with them. The loop over them waits for nothing. */
  each<Found = Record<string, unknown>>(
    sql: string,
    ...values: Parameter[]
  ): IterableIterator<Found> {
    return this.#prepare(sql, 'objects', values).iterate(...values) as IterableIterator<Found>
  }

  /** Rows as arrays, whatever their values are. */
  rows(sql: string, ...values: Parameter[]): Row[] {
    return this.#prepare(sql, 'rows', values).all(...values) as Row[]
  }

  /** The first row as an array, whatever its values are. */
  row(sql: string, ...values: Parameter[]): Row | undefined {
    return this.#prepare(sql, 'rows', values).get(...values) as Row | undefined
  }

  /** The record with this rowid, as an array of these columns. Throws as `refuseLargeRow` does. */
  record(table: string, columns: string, rowid: number): Row | undefined {
    refuseLargeRow(this.database, table, rowid)
    return this.row(`SELECT ${columns} FROM ${table} WHERE rowid = ?`, rowid)
  }

  /** The same as an object. Expressions call the record `o`. */
  readRow<Found>(table: string, columns: string, rowid: number | bigint): Found {
    refuseLargeRow(this.database, table, rowid)
    return this.get(`SELECT ${columns} FROM ${table} AS o WHERE o.rowid = ?`, rowid) as Found
  }

  /** The record with this URL, as `record` returns it; undefined also for one whose rowid no number holds. */
  recordAt(table: string, columns: string, url: string): Row | undefined {
    const [rowid] = this.row(`SELECT rowid FROM ${table} WHERE url = ?`, url) ?? []
    return Number.isSafeInteger(rowid) ? this.record(table, columns, Number(rowid)) : undefined
  }

  /** The first column of all rows, as numbers. */
  numbers(sql: string, ...values: Parameter[]): number[] {
    return this.rows(sql, ...values).map(([value]) => value as number)
  }

  /** The first column of the first row, as a number; 0 without one. */
  count(sql: string, ...values: Parameter[]): number {
    return Number(this.row(sql, ...values)?.[0] ?? 0)
  }

  /** Rowids, which may be any 64-bit numbers, in eight bytes each. */
  rowids(sql: string, ...values: Parameter[]): BigInt64Array {
    return BigInt64Array.from(this.#prepare(sql, 'rowids', values).all(...values) as bigint[])
  }

  /** Remembers what `make` returns, as long as there is room. */
  remember<Made>(memo: Memo<Made>, key: string, make: () => Made): Made {
    return this.#remembered.remember(memo, key, make)
  }

  /** Remembers what `make` resolves to. If it fails, the next call tries again. */
  async rememberResolved<Made>(
    memo: Memo<Made>,
    key: string,
    make: () => Promise<Made>,
  ): Promise<Made> {
    const known = this.#remembered.find(memo, key)
    if (known) return known.value
    const value = await make()
    return this.#remembered.remember(memo, key, () => value)
  }

  /** The remembered value; undefined if there is none, or if it was forgotten. */
  recall<Made>(memo: Memo<Made>, key: string): Made | undefined {
    return this.#remembered.find(memo, key)?.value
  }

  close(): void {
    this.database.close()
  }

  #prepare(sql: string, mode: Mode, values: readonly Parameter[]): Statement<unknown[], unknown> {
    const { database, statements } = this.#connection
    this.#begin()
    const operands = values.map(operandOf)
    const key = `${mode} ${operands.join()} ${sql}`
    let statement = statements.get(key)
    if (!statement) {
      statement = database.prepare<unknown[], unknown>(withOperands(sql, operands))
      if (mode === 'rows') statement.raw()
      if (mode === 'rowids') statement.pluck().safeIntegers()
      statements.set(key, statement)
    }
    return statement
  }

  /**
   * Begins a transaction that lasts as long as nothing else can happen: without one SQLite would lock the file for each of
   * the hundreds of questions that a page asks.
   */
  #begin(): void {
    const { database, isBorrowed } = this.#connection
    if (isBorrowed || database.inTransaction) return
    database.exec('BEGIN')
    queueMicrotask(() => {
      if (database.open && database.inTransaction) database.exec('COMMIT')
    })
  }
}

/** A parameter of a statement for each of these values, as in `url IN (?, ?)`. */
export const valuesOf = (values: readonly unknown[]): string => values.map(() => '?').join(', ')
