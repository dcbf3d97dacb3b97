import type { Repository } from './repositories.ts'
import { asInteger, type Sources } from './sources.ts'
import { parseTime } from './times.ts'

export interface MilestoneQuery {
  readonly state: 'open' | 'closed' | 'all'
  /** The day it is due, or the part of it that is closed. */
  readonly sort: 'due_on' | 'completeness'
  readonly direction: 'asc' | 'desc'
}

interface Sortable {
  readonly id: number
  readonly key: number
  readonly number: number
}

/** Finds milestones, by their places in the index. */
export class Milestones {
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
  }

  findByNumber = ({ id }: Repository, number: number): number | undefined =>
    this.#sources.numbers(
      'SELECT id FROM milestones WHERE repository = ? AND number = ?',
      id,
      number,
    )[0]

  /** The milestones of a repository. Milestones without a due date come last in either direction. */
  list(repository: Repository, query: MilestoneQuery): Float64Array {
    const { state, sort, direction } = query
    return this.#sources.remember(
      `milestones ${repository.id} ${state} ${sort} ${direction}`,
      () => Float64Array.from(this.#sort(repository, query), ({ id }) => id),
      ({ byteLength }) => byteLength,
    )
  }

  #sort(repository: Repository, { state, sort, direction }: MilestoneQuery): Sortable[] {
    const sign = direction === 'asc' ? 1 : -1
    const rows = this.#sources.all(
      'SELECT id, row, number, open, closed FROM milestones WHERE repository = ?',
      repository.id,
    )
    const found = rows.flatMap(([id, row, number, open, closed]): Sortable[] => {
      const { database } = repository
      const record = this.#sources.record(database, 'milestones', COLUMNS, asInteger(row))
      const isClosed = record?.[0] === 'closed'
      if (!record || (state !== 'all' && isClosed !== (state === 'closed'))) return []
      const part = asInteger(closed) / (asInteger(open) + asInteger(closed) || 1)
      const due = parseTime(record[1])
      const key = sort === 'completeness' ? sign * part : due === undefined ? NEVER : sign * due
      return [{ id: asInteger(id), key, number: asInteger(number) }]
    })
    return found.sort((a, b) => a.key - b.key || sign * (a.number - b.number))
  }
}

const COLUMNS = 'state, due_on'

/** After every time. */
const NEVER = Number.MAX_SAFE_INTEGER
