/**
 * An open connection to a database, from `openDatabase`: a connection of better-sqlite3, reduced to its stable members, so
 * that programs do not need its types.
 */
export interface Database {
  /** The path passed to `openDatabase`. */
  readonly name: string
  /** False after `close`. */
  readonly open: boolean
  /** Whether it was opened for reading only. */
  readonly readonly: boolean
  /** Whether it is in memory, without a file. */
  readonly memory: boolean
  /** Whether a transaction is open. */
  readonly inTransaction: boolean
  /** Compiles one statement. `Row` is an object, or what `raw` and `pluck` return. */
  prepare<Parameters extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Parameters extends unknown[] ? Statement<Parameters, Row> : Statement<[Parameters], Row>
  /** Runs one or more statements without results. */
  exec(sql: string): this
  /** Runs a PRAGMA. Returns its rows, or with `simple` the first value. */
  pragma(sql: string, options?: { simple?: boolean }): unknown
  /** Wraps a function in a transaction that is rolled back if the function throws. */
  transaction<Arguments extends unknown[], Result>(
    work: (...given: Arguments) => Result,
  ): Transaction<Arguments, Result>
  /** Defines an SQL function. */
  function(name: string, work: (...values: never[]) => unknown): this
  function(
    name: string,
    options: { deterministic?: boolean; directOnly?: boolean; varargs?: boolean },
    work: (...values: never[]) => unknown,
  ): this
  /** The bytes of the database as a file. */
  serialize(): Buffer
  /** Makes statements prepared from now on return integers as bigint. */
  defaultSafeIntegers(isOn?: boolean): this
  /** Allows statements to run while the rows of another one are read. */
  unsafeMode(isOn?: boolean): this
  /** Closes the connection and its statements. Once closed, it cannot be used. */
  close(): this
}

/** A function in a transaction; `immediate` locks the database for writing from the start. */
export interface Transaction<Arguments extends unknown[], Result> {
  (...given: Arguments): Result
  /** Runs it in a transaction that locks the database for writing from the start. */
  immediate(...given: Arguments): Result
}

/** A compiled statement. */
export interface Statement<Parameters extends unknown[] = unknown[], Row = unknown> {
  /** The SQL. */
  readonly source: string
  /** Whether it returns rows. */
  readonly reader: boolean
  /** Whether it does not change the database. */
  readonly readonly: boolean
  /** Runs it. Returns how many rows changed, and the rowid of the last insert. */
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint }
  /** The first row, or undefined without rows. */
  get(...parameters: Parameters): Row | undefined
  /** All rows. They must fit in memory. */
  all(...parameters: Parameters): Row[]
  /** The rows, read while they are consumed. */
  iterate(...parameters: Parameters): IterableIterator<Row>
  /** Makes it return only the first column. */
  pluck(isOn?: boolean): this
  /** Makes it return rows as arrays. */
  raw(isOn?: boolean): this
  /** Makes it return integers as bigint. */
  safeIntegers(isOn?: boolean): this
  /** Binds the parameters permanently; then it runs without any. */
  bind(...parameters: Parameters): this
  /** The columns of its rows, and where they come from. */
  columns(): { name: string; table: string | null; column: string | null; type: string | null }[]
}
