import { GHOST, ROLES } from '../index/index-schema.ts'
import { findOrdered, type ThreadList, type ThreadOrder } from '../index/thread-orders.ts'
import type { IndexedLibrary } from '../library.ts'
import type { Person } from '../people/people.ts'
import { Memo } from '../remembered.ts'
import type { IndexedRepository } from '../repositories.ts'
import type { Row, Value } from '../store.ts'
import { asInteger, asIntegerOrNull } from '../values.ts'
import { inIndex, type ThreadFilter } from './thread-filters.ts'

/** An issue or pull request, as the index has it. */
export interface IndexedThread {
  /** Its place in the index. */
  readonly id: number
  readonly repository: number
  readonly isPull: boolean
  readonly row: number
  readonly number: number
  /** Its number as an issue. */
  readonly issueNumber: number
  /** Its number as a pull request; null for an issue. */
  readonly pullNumber: number | null
  readonly created: number | null
  readonly updated: number | null
  readonly isClosed: boolean
  /** Its milestone in the index. */
  readonly milestone: number | null
  readonly comments: number
  readonly firstEvent: number
  readonly events: number
}

/** A list of threads of some repositories. */
export interface ThreadQuery extends Omit<ThreadFilter, 'state' | 'kind'>, ThreadOrder {
  /** Ids of the repositories to look in. */
  readonly repositories: readonly number[]
}

const COLUMNS = `id, repository, is_pull, row, number, issue_number, pull_number, created, updated,
  closed, milestone, comments, first_event, events`

const ORDERS = {
  created: 'coalesce(created, 0)',
  updated: 'coalesce(updated, 0)',
  comments: 'comments',
} as const

/** Finds issues and pull requests. */
export class Threads {
  readonly #library: IndexedLibrary

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  /** The thread with a number. Where an archive repeats one, `isPull` says which of the two is meant. */
  findByNumber = (
    repository: IndexedRepository,
    number: number,
    isPull = false,
  ): IndexedThread | undefined =>
    this.#find(
      'repository = ? AND number = ? ORDER BY is_pull = ? DESC LIMIT 1',
      repository.id,
      number,
      Number(isPull),
    )

  byId = (id: number): IndexedThread | undefined => this.#find('id = ?', id)

  list = (query: ThreadQuery): ThreadList => listIndexed(this.#library, query)

  /** Ids of the people who are assigned to threads of a repository, without deleted accounts. */
  assignees = ({ firstThread, threads }: IndexedRepository): readonly number[] =>
    this.#library.index.numbers(
      `SELECT DISTINCT person FROM involved
      WHERE role = ${ROLES.assignee} AND person <> ${GHOST.id} AND thread >= ? AND thread < ?`,
      firstThread,
      firstThread + threads,
    )

  /** Whether any thread has a person as author or assignee, or mentions them. */
  isInvolved = ({ id }: Pick<Person, 'id'>): boolean =>
    this.#library.index.row('SELECT 1 FROM involved WHERE person = ? LIMIT 1', id ?? -1) !==
    undefined

  #find(condition: string, ...values: Value[]): IndexedThread | undefined {
    const row = this.#library.index.row(
      `SELECT ${COLUMNS} FROM threads WHERE ${condition}`,
      ...values,
    )
    return row && toThread(row)
  }
}

/** The ids of all threads that a query asks for. */
export function listIndexed(library: IndexedLibrary, query: ThreadQuery): ThreadList {
  const { repositories, state, kind, sort, direction, ...filter } = query
  const [repository] = repositories
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const isOrdered = kind === undefined || sort === 'created'
  if (repositories.length === 1 && repository !== undefined && !isFiltered && isOrdered) {
    return findOrdered(library, repository, query)
  }
  const [condition, ...values] = inIndex({ ...filter, state, kind })
  const by = [ORDERS[sort], 'number', 'id'].map((column) => `${column} ${direction}`).join(', ')
  const sql = `SELECT id FROM threads AS t
    WHERE t.repository IN (SELECT value FROM json_each(?)) AND ${condition} ORDER BY ${by}`
  const all = [JSON.stringify(repositories), ...values]
  const ids = library.remember(LISTS, `${sql} ${JSON.stringify(all)}`, () =>
    Float64Array.from(library.index.numbers(sql, ...all)),
  )
  return { total: ids.length, ids: (offset, limit) => [...ids.subarray(offset, offset + limit)] }
}

const LISTS = new Memo<Float64Array>(({ byteLength }) => byteLength)

function toThread(row: Row): IndexedThread {
  const [id, repository, isPull, record, number, issueNumber, pullNumber, created, updated] = row
  const [closed, milestone, comments, firstEvent, events] = row.slice(9)
  return {
    id: asInteger(id),
    repository: asInteger(repository),
    isPull: isPull === 1,
    row: asInteger(record),
    number: asInteger(number),
    issueNumber: asInteger(issueNumber),
    pullNumber: asIntegerOrNull(pullNumber),
    created: asIntegerOrNull(created),
    updated: asIntegerOrNull(updated),
    isClosed: closed === 1,
    milestone: asIntegerOrNull(milestone),
    comments: asInteger(comments),
    firstEvent: asInteger(firstEvent),
    events: asInteger(events),
  }
}
