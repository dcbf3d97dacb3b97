import type { Database, Statement } from '../../database/database.ts'
import { createLruCache, type LruCache } from '../../lru-cache.ts'

/** A value that SQLite returns for one column. An archive database is untrusted, so the value may have any type. */
export type Value = string | number | Uint8Array | null
export type Row = readonly Value[]

/** A value that was made from rows and may be needed again. */
interface Cached {
  readonly value: unknown
  /** About how much memory it takes. */
  readonly bytes: number
}

/** All caches of a server together. */
const CACHE_BYTES = 24 * 2 ** 20

const createCache = (): LruCache<string, Cached> =>
  createLruCache<string, Cached>(CACHE_BYTES, ({ bytes }) => bytes)

/** The index, the databases that it was made from, and a cache of values from them. */
export class Sources {
  readonly index: Database
  readonly databases: readonly Database[]
  #cache = createCache()
  readonly #statements = new Map<Database, Map<string, Statement<unknown[], Row>>>()

  constructor(index: Database, databases: readonly Database[]) {
    this.index = index
    this.databases = databases
  }

  /** The first row of a query on the index. */
  get = (sql: string, ...values: Value[]): Row | undefined =>
    this.#statement(this.index, sql).get(...values)

  /** All rows of a query on the index. */
  all = (sql: string, ...values: Value[]): Row[] => this.#statement(this.index, sql).all(...values)

  /** The first column of all rows of a query on the index. */
  numbers = (sql: string, ...values: Value[]): number[] =>
    this.all(sql, ...values).map(([value]) => value as number)

  /** The record with this rowid, as an array of these columns. */
  record(database: number, table: string, columns: string, row: number): Row | undefined {
    return this.find(database, `SELECT ${columns} FROM ${table} WHERE rowid = ?`, row)
  }

  /** The first row of a query on a database. */
  find(database: number, sql: string, ...values: Value[]): Row | undefined {
    const source = this.#reading(database)
    return source && this.#statement(source, sql).get(...values)
  }

  /** All rows of a query on a database. */
  findAll(database: number, sql: string, ...values: Value[]): Row[] {
    const source = this.#reading(database)
    return source ? this.#statement(source, sql).all(...values) : []
  }

  /**
   * A database in a transaction that lasts as long as nothing else can happen: without one SQLite would lock the file for
   * each of the hundreds of questions that a page asks.
   */
  #reading(database: number): Database | undefined {
    const source = this.databases[database]
    if (source && !source.inTransaction) {
      source.exec('BEGIN')
      queueMicrotask(() => {
        if (source.open && source.inTransaction) source.exec('COMMIT')
      })
    }
    return source
  }

  /** Remembers what `make` returns, as long as there is room. */
  remember<T>(key: string, make: () => T, bytesOf: (value: T) => number): T {
    const known = this.#cache.get(key)
    if (known) return known.value as T
    const value = make()
    this.#cache.set(key, { value, bytes: bytesOf(value) + 2 * key.length + ENTRY })
    return value
  }

  /** Forgets everything that was remembered. */
  forget(): void {
    this.#cache = createCache()
  }

  /** Preparing a statement takes longer than most of them run. */
  #statement(database: Database, sql: string): Statement<unknown[], Row> {
    let known = this.#statements.get(database)
    if (!known) {
      known = new Map()
      this.#statements.set(database, known)
    }
    let statement = known.get(sql)
    if (!statement) {
      statement = database.prepare<unknown[], Row>(sql).raw()
      known.set(sql, statement)
    }
    return statement
  }

  close(): void {
    this.index.close()
    for (const database of this.databases) database.close()
  }
}

/** Memory that an entry of the cache takes in addition to its value. */
const ENTRY = 200

/** A text; "" for anything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A text; null for anything else. */
export const asTextOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : null

/** An integer; 0 for anything else. */
export const asInteger = (value: unknown): number => asIntegerOrNull(value) ?? 0

/** An integer; null for anything else. */
export const asIntegerOrNull = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? (value as number) : null

/** Parses a column of JSON; undefined if it is none. */
export function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}

/** The elements of a JSON array in a column; none if it is not an array. */
export function asList(value: unknown): unknown[] {
  const parsed = parseJson(value)
  return Array.isArray(parsed) ? parsed : []
}

/** The members of an object; none if it is not an object. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
