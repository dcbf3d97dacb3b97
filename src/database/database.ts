/**
 * An open connection to a database, from `openDatabase`: a connection of better-sqlite3, reduced to its stable members, so
 * that programs do not need its types.
 */
export interface Database {
  /** The path passed to `openDatabase`. */
  readonly name: string
  readonly open: boolean
  readonly readonly: boolean
  readonly memory: boolean
  readonly inTransaction: boolean
  /** Compiles one statement. `Row` is an object, or what `raw` and `pluck` return. */
  prepare<Parameters extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Parameters extends unknown[] ? Statement<Parameters, Row> : Statement<[Parameters], Row>
  /** Runs one or more statements without results. */
  exec(sql: string): this
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
  unsafeMode(isOn?: boolean): this
  close(): this
}

/** A function in a transaction; `immediate` locks the database for writing from the start. */
export interface Transaction<Arguments extends unknown[], Result> {
  (...given: Arguments): Result
  immediate(...given: Arguments): Result
}

/** A compiled statement. */
export interface Statement<Parameters extends unknown[] = unknown[], Row = unknown> {
  readonly source: string
  /** Whether it returns rows. */
  readonly reader: boolean
  /** Whether it does not change the database. */
  readonly readonly: boolean
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint }
  get(...parameters: Parameters): Row | undefined
  all(...parameters: Parameters): Row[]
  iterate(...parameters: Parameters): IterableIterator<Row>
  /** Makes it return only the first column. */
  pluck(isOn?: boolean): this
  /** Makes it return rows as arrays. */
  raw(isOn?: boolean): this
  /** Makes it return integers as bigint. */
  safeIntegers(isOn?: boolean): this
  bind(...parameters: Parameters): this
  columns(): { name: string; table: string | null; column: string | null; type: string | null }[]
}
