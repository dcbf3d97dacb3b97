import { ACTIVITY_CODES, CODE_UNIT, IS_PART } from './index/index-schema.ts'
import type { Repository } from './repositories.ts'
import { asInteger, type Row, type Sources, type Value } from './sources.ts'
import type { Thread } from './threads.ts'

/** Texts that people write in threads. */
export type PartKind = 'comment' | 'review' | 'reviewComment'

/** A comment, review or review comment, as the index has it. */
export interface Part {
  /** The number of the record. */
  readonly number: number
  /** Its thread in the index. */
  readonly thread: number
  readonly row: number
}

export interface PartQuery {
  readonly kind: PartKind
  /** The thread that it is in, or the repository. */
  readonly of: { readonly thread: Thread } | { readonly repository: Repository }
  readonly direction: 'asc' | 'desc'
  /** Seconds since 1970: only what was written then or later. */
  readonly since?: number | undefined
}

const COLUMNS = 'number, thread, row'

/**
 * Finds comments, reviews and review comments that were handed in. Those of threads that are not served, and those
 * without a time, are in no list: an importer would stop at them.
 */
export class Parts {
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** The places of parts in the index, in the order of time and number. */
  list({ kind, of, direction, since = -Number.MAX_SAFE_INTEGER }: PartQuery): Float64Array {
    const first = ACTIVITY_CODES[kind] * CODE_UNIT
    const [owner, id] =
      'thread' in of ? [`${IS_PART} AND thread`, of.thread.id] : ['repository', of.repository.id]
    return this.#sources.remember(
      `parts ${owner} ${id} ${kind} ${direction} ${since}`,
      () => {
        // A sign keeps SQLite from an index that fits worse.
        const sql = `SELECT id FROM activity WHERE ${owner} = ? AND +number BETWEEN ? AND ?
          AND time >= ? ORDER BY id ${direction}`
        return Float64Array.from(
          this.#sources.numbers(sql, id, first, first + CODE_UNIT - 1, since),
        )
      },
      ({ byteLength }) => byteLength,
    )
  }

  byId = (id: number): Part | undefined => this.#find('id = ?', id)

  /** The part of a repository with this number. */
  findByNumber = (kind: PartKind, { id }: Repository, number: number): Part | undefined =>
    number < CODE_UNIT
      ? this.#find(
          `${IS_PART} AND number = ? AND +repository = ?`,
          ACTIVITY_CODES[kind] * CODE_UNIT + number,
          id,
        )
      : undefined

  #find(condition: string, ...values: Value[]): Part | undefined {
    const row = this.#sources.get(`SELECT ${COLUMNS} FROM activity WHERE ${condition}`, ...values)
    return row && toPart(row)
  }
}

const toPart = ([number, thread, row]: Row): Part => ({
  number: asInteger(number) % CODE_UNIT,
  ...{ thread: asInteger(thread), row: asInteger(row) },
})
