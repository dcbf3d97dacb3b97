import { ISSUE_EVENT_KINDS } from '../../records/kinds/event-types.ts'
import type { Repository } from './repositories.ts'
import { asInteger, asIntegerOrNull, type Row, type Sources, type Value } from './sources.ts'
import type { Thread } from './threads.ts'

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
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Events of a repository, the newest first. */
  ofRepository({ firstEvent, events }: Repository, offset: number, limit: number): IssueEvent[] {
    const end = firstEvent + events - offset
    return this.#all(
      'FROM events AS e WHERE e.id >= ? AND e.id < ? ORDER BY e.id DESC',
      Math.max(firstEvent, end - limit),
      end,
    )
  }

  /** Events of an issue or pull request, the oldest first. */
  ofThread({ firstEvent, events }: Thread, offset: number, limit: number): IssueEvent[] {
    return this.#all(
      `FROM thread_events AS t CROSS JOIN events AS e ON e.id = t.event
      WHERE t.id >= ? AND t.id < ? ORDER BY t.id`,
      firstEvent + offset,
      firstEvent + Math.min(events, offset + limit),
    )
  }

  /** The event of a repository with this number. */
  findByNumber = (repository: Repository, number: number): IssueEvent | undefined =>
    this.#all('FROM events AS e WHERE e.number = ? AND e.repository = ?', number, repository.id)[0]

  /** The last event of a kind in an issue or pull request. */
  lastOfKind = ({ firstEvent, events }: Thread, kind: string): IssueEvent | undefined =>
    this.#all(
      `FROM thread_events AS t CROSS JOIN events AS e ON e.id = t.event
      WHERE t.id >= ? AND t.id < ? AND e.kind = ? ORDER BY t.id DESC LIMIT 1`,
      firstEvent,
      firstEvent + events,
      ISSUE_EVENT_KINDS.indexOf(kind as (typeof ISSUE_EVENT_KINDS)[number]),
    )[0]

  byId = (id: number): IssueEvent | undefined => this.#all('FROM events AS e WHERE e.id = ?', id)[0]

  #all = (rest: string, ...values: Value[]): IssueEvent[] =>
    this.#sources.all(`SELECT ${COLUMNS} ${rest}`, ...values).map(toEvent)
}

const toEvent = ([id, repository, thread, row, kind, time, number]: Row): IssueEvent => ({
  ...{ id: asInteger(id), repository: asInteger(repository), thread: asInteger(thread) },
  row: asInteger(row),
  kind: kind === null ? undefined : ISSUE_EVENT_KINDS[asInteger(kind)],
  time: asIntegerOrNull(time),
  number: asInteger(number),
})
