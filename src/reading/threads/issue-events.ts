import { ISSUE_EVENT_KINDS } from '../../records/kinds/event-types.ts'
import type { IndexedLibrary } from '../library.ts'
import type { IndexedRepository } from '../repositories.ts'
import type { Row, Value } from '../store.ts'
import { asInteger, asIntegerOrNull } from '../values.ts'
import type { IndexedThread } from './indexed-threads.ts'

/** An issue event, as the index has it. */
export interface IssueEvent {
  /** Its place in the index. */
  readonly id: number
  readonly repository: number
  readonly thread: number
  readonly row: number
  /** Undefined for a kind that the interface does not document. */
  readonly kind: string | undefined
  /** Seconds since 1970; null if the record has no time. */
  readonly time: number | null
  readonly number: number
}

const COLUMNS = 'e.id, e.repository, e.thread, e.row, e.kind, e.time, e.number'

/** Finds issue events by position, so that the last page takes no longer than the first. */
export class IssueEvents {
  readonly #library: IndexedLibrary

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  /** Events of a repository, the newest first. */
  ofRepository(
    { firstEvent, events }: IndexedRepository,
    offset: number,
    limit: number,
  ): IssueEvent[] {
    const end = firstEvent + events - offset
    return this.#all(
      'FROM events AS e WHERE e.id >= ? AND e.id < ? ORDER BY e.id DESC',
      Math.max(firstEvent, end - limit),
      end,
    )
  }

  /** Events of an issue or pull request, the oldest first. */
  ofThread({ firstEvent, events }: IndexedThread, offset: number, limit: number): IssueEvent[] {
    return this.#all(
      `FROM thread_events AS t CROSS JOIN events AS e ON e.id = t.event
      WHERE t.id >= ? AND t.id < ? ORDER BY t.id`,
      firstEvent + offset,
      firstEvent + Math.min(events, offset + limit),
    )
  }

  /** The event of a repository with this number. */
  findByNumber = (repository: IndexedRepository, number: number): IssueEvent | undefined =>
    this.#all('FROM events AS e WHERE e.number = ? AND e.repository = ?', number, repository.id)[0]

  byId = (id: number): IssueEvent | undefined => this.#all('FROM events AS e WHERE e.id = ?', id)[0]

  #all = (rest: string, ...values: Value[]): IssueEvent[] =>
    this.#library.index.rows(`SELECT ${COLUMNS} ${rest}`, ...values).map(toEvent)
}

const toEvent = ([id, repository, thread, row, kind, time, number]: Row): IssueEvent => ({
  id: asInteger(id),
  repository: asInteger(repository),
  thread: asInteger(thread),
  row: asInteger(row),
  kind: kind === null ? undefined : ISSUE_EVENT_KINDS[asInteger(kind)],
  time: asIntegerOrNull(time),
  number: asInteger(number),
})
