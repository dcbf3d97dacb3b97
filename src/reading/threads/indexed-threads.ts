import { GHOST, ROLES } from '../index/index-schema.ts'
import type { ThreadList } from '../index/thread-orders.ts'
import type { IndexedLibrary } from '../library.ts'
import type { Person } from '../people/people.ts'
import type { IndexedRepository } from '../repositories.ts'
import type { Row, Value } from '../store.ts'
import { asInteger, asIntegerOrNull } from '../values.ts'
import { findThread } from './find-thread.ts'
import { listIndexed, type ThreadQuery } from './list-threads.ts'

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

const COLUMNS = `id, repository, is_pull, row, number, issue_number, pull_number, created, updated,
  closed, milestone, comments, first_event, events`

/** Finds issues and pull requests. */
export class Threads {
  readonly #library: IndexedLibrary

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  /** The issue or pull request with a number, as `findThread` finds it. */
  findByNumber(
    repository: IndexedRepository,
    number: number,
    word: 'issues' | 'pulls',
  ): IndexedThread | undefined {
    const isPull = findThread(repository, number, word)?.part === 'pull'
    return this.#find(
      'repository = ? AND number = ? AND is_pull = ?',
      repository.id,
      number,
      Number(isPull),
    )
  }

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
