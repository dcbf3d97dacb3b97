import { ACTIVITY_CODES, CODE_UNIT, IS_PART } from '../index/index-schema.ts'
import type { IndexedLibrary } from '../library.ts'
import { Memo } from '../remembered.ts'
import type { IndexedRepository } from '../repositories.ts'
import type { Row, Value } from '../store.ts'
import { asInteger } from '../values.ts'
import type { IndexedThread } from './indexed-threads.ts'

/** Texts that people write in threads, and about commits. */
export type PartKind = 'comment' | 'review' | 'reviewComment' | 'commitComment'

/** A comment, review or review comment, as the index has it. */
export interface Part {
  /** The number of the record. */
  readonly number: number
  /** Its thread in the index; 0 for a comment on a commit. */
  readonly thread: number
  readonly row: number
}

export interface PartQuery {
  readonly kind: PartKind
  /** The thread that it is in, or the repository. */
  readonly of: { readonly thread: IndexedThread } | { readonly repository: IndexedRepository }
  readonly direction: 'asc' | 'desc'
  /** Seconds since 1970: only what was written then or later. */
  readonly since?: number | undefined
}

const COLUMNS = 'number, thread, row'

/**
 * Finds comments, and reviews and review comments that were handed in. Those of threads that are not served
 * are in no list.
 */
export class Parts {
  readonly #library: IndexedLibrary

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  /** The places of parts in the index, in the order of time and number. */
  list({ kind, of, direction, since = -Number.MAX_SAFE_INTEGER }: PartQuery): Float64Array {
    const first = ACTIVITY_CODES[kind] * CODE_UNIT
    const [owner, id] =
      'thread' in of ? [`${IS_PART} AND thread`, of.thread.id] : ['repository', of.repository.id]
    return this.#library.remember(LISTS, `${owner} ${id} ${kind} ${direction} ${since}`, () => {
      // A sign keeps SQLite from an index that fits worse.
      const sql = `SELECT id FROM activity WHERE ${owner} = ? AND +number BETWEEN ? AND ?
          AND time >= ? ORDER BY id ${direction}`
      return Float64Array.from(
        this.#library.index.numbers(sql, id, first, first + CODE_UNIT - 1, since),
      )
    })
  }

  /** The places in the index of what people wrote in a thread, by kind and row. */
  placesIn({ id }: IndexedThread): ReadonlyMap<string, number> {
    const kinds = Object.entries(ACTIVITY_CODES)
    const sql = `SELECT number, row, id FROM activity WHERE ${IS_PART} AND thread = ?`
    return new Map(
      this.#library.index.rows(sql, id).map(([number, row, place]) => {
        const [kind] = kinds[Math.floor(asInteger(number) / CODE_UNIT)] ?? []
        return [`${kind} ${row}`, asInteger(place)]
      }),
    )
  }

  byId = (id: number): Part | undefined => this.#find('id = ?', id)

  /** The part of a repository with this number. */
  findByNumber = (kind: PartKind, { id }: IndexedRepository, number: number): Part | undefined =>
    number < CODE_UNIT
      ? this.#find(
          `${IS_PART} AND number = ? AND +repository = ?`,
          ACTIVITY_CODES[kind] * CODE_UNIT + number,
          id,
        )
      : undefined

  #find(condition: string, ...values: Value[]): Part | undefined {
    const row = this.#library.index.row(
      `SELECT ${COLUMNS} FROM activity WHERE ${condition}`,
      ...values,
    )
    return row && toPart(row)
  }
}

const LISTS = new Memo<Float64Array>(({ byteLength }) => byteLength)

const toPart = ([number, thread, row]: Row): Part => ({
  number: asInteger(number) % CODE_UNIT,
  thread: asInteger(thread),
  row: asInteger(row),
})
