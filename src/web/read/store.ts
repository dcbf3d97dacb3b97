import { basename } from 'node:path'
import type { Database, Statement } from '../../database/database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { createLruCache } from '../../lru-cache.ts'
import { createThreadReader, type ThreadReader } from '../../thread/thread-reader.ts'

type Value = string | number | bigint | null

/** Bytes of cached values of one database. */
const REMEMBERED = 16 * 2 ** 20

/** One database with its prepared statements. */
export class Store {
  readonly database: Database
  readonly #statements = new Map<string, Statement<unknown[], unknown>>()
  readonly #remembered = createLruCache<string, { value: unknown; bytes: number }>(
    REMEMBERED,
    ({ bytes }) => bytes,
  )
  #threads: ThreadReader | undefined
  #title: string | undefined

  /** @param path a database that `loadArchive` created, opened read-only */
  constructor(path: string) {
    this.database = openDatabase(path)
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

  get threads(): ThreadReader {
    this.#threads ??= createThreadReader(this.database)
    return this.#threads
  }

  all<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[]
  }

  get<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined
  }

  /** Rows one after another: memory does not grow with them. */
  each<Row = Record<string, unknown>>(sql: string, ...values: Value[]): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<Row>
  }

  /** The first column of the first row, as a number; 0 without one. */
  count(sql: string, ...values: Value[]): number {
    const row = this.get<Record<string, unknown>>(sql, ...values)
    return Number(Object.values(row ?? {})[0] ?? 0)
  }

  /** Rowids, which may be any 64-bit numbers, in eight bytes each. */
  rowids(sql: string, ...values: Value[]): BigInt64Array {
    const statement = this.database.prepare<unknown[], bigint>(sql).pluck().safeIntegers()
    return BigInt64Array.from(statement.all(...values))
  }

  /** Remembers what `make` returns, as long as there is room. */
  remember<T>(key: string, make: () => T, bytesOf: (value: T) => number = () => 200): T {
    const known = this.#remembered.get(key)
    if (known) return known.value as T
    const value = make()
    this.#remembered.set(key, { value, bytes: bytesOf(value) + 2 * key.length + 100 })
    return value
  }

  /** Remembers what `make` resolves to. If it fails, the next call tries again. */
  async rememberResolved<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#remembered.get(key)
    if (known) return known.value as T
    const value = await make()
    return this.remember(key, () => value)
  }

  /** The remembered value; undefined if there is none, or if it was forgotten. */
  recall<T>(key: string): T | undefined {
    return this.#remembered.get(key)?.value as T | undefined
  }

  close(): void {
    this.database.close()
  }

  #prepare(sql: string): Statement<unknown[], unknown> {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.database.prepare<unknown[], unknown>(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** A text; undefined for anything else and for an empty one. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
