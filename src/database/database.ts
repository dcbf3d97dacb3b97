/**
 * An open connection to a database, as `openDatabase` gives. It is one of better-sqlite3, of which these are the members
 * to rely on; so programs need no types but ours.
 */
export interface Database {
  /** The path that was given. */
  readonly name: string
  readonly open: boolean
  readonly readonly: boolean
  readonly memory: boolean
  readonly inTransaction: boolean
  /** Compiles one statement. `Row` is what it returns: an object, or what `raw` and `pluck` make of it. */
  prepare<Parameters extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Parameters extends unknown[] ? Statement<Parameters, Row> : Statement<[Parameters], Row>
  /** Runs statements that return nothing. */
  exec(sql: string): this
  pragma(sql: string, options?: { simple?: boolean }): unknown
  /** Wraps a function so that it runs in a transaction, which is rolled back if it throws. */
  transaction<Arguments extends unknown[], Result>(
    work: (...given: Arguments) => Result,
  ): Transaction<Arguments, Result>
  /** Defines a function for SQL. */
  function(name: string, work: (...values: never[]) => unknown): this
  function(
    name: string,
    options: { deterministic?: boolean; directOnly?: boolean; varargs?: boolean },
    work: (...values: never[]) => unknown,
  ): this
  /** The whole database as the bytes of a file. */
  serialize(): Buffer
  /** Has all statements prepared from here on return integers as bigint. */
  defaultSafeIntegers(isOn?: boolean): this
  unsafeMode(isOn?: boolean): this
  close(): this
}

/** Runs in a transaction; `immediate` keeps others from writing from the start. */
export interface Transaction<Arguments extends unknown[], Result> {
  (...given: Arguments): Result
  immediate(...given: Arguments): Result
}

/** A compiled statement. */
export interface Statement<Parameters extends unknown[] = unknown[], Row = unknown> {
  readonly source: string
  /** Whether it returns rows. */
  readonly reader: boolean
  /** Whether it leaves the database as it is. */
  readonly readonly: boolean
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint }
  get(...parameters: Parameters): Row | undefined
  all(...parameters: Parameters): Row[]
  iterate(...parameters: Parameters): IterableIterator<Row>
  /** Has it return the first column alone. */
  pluck(isOn?: boolean): this
  /** Has it return rows as arrays. */
  raw(isOn?: boolean): this
  /** Has it return integers as bigint. */
  safeIntegers(isOn?: boolean): this
  bind(...parameters: Parameters): this
  columns(): { name: string; table: string | null; column: string | null; type: string | null }[]
}
