import { ROLES } from '../index/index-schema.ts'
import { findOrdered, type ThreadList, type ThreadOrder } from '../index/thread-orders.ts'
import type { IndexedLibrary } from '../library.ts'
import type { Person } from '../people/people.ts'
import { Memo } from '../remembered.ts'
import type { IndexedRepository } from '../repositories.ts'
import type { Row, Value } from '../store.ts'
import { asInteger, asIntegerOrNull } from '../values.ts'

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

export interface ThreadQuery extends ThreadOrder {
  /** Ids of the repositories to look in. */
  readonly repositories: readonly number[]
  /** Only pull requests. */
  readonly isPull?: true
  /** Names of labels, all of which it must have. */
  readonly labels?: readonly string[]
  /** Ids of people by role. */
  readonly involved?: readonly { readonly role: keyof typeof ROLES; readonly person: number }[]
  /** Whether anybody is assigned. */
  readonly isAssigned?: boolean
  /** The number of a milestone, or whether it has any. */
  readonly milestone?: number | boolean
  /** Seconds since 1970: only what was updated then or later. */
  readonly since?: number
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

  /** The ids of all threads that a query asks for. */
  list(query: ThreadQuery): ThreadList {
    const [repository] = query.repositories
    if (repository !== undefined && isPlain(query)) {
      return findOrdered(this.#library, repository, query)
    }
    const { where, values } = conditionsOf(query)
    const by = [ORDERS[query.sort], 'number', 'id']
      .map((column) => `${column} ${query.direction}`)
      .join(', ')
    const select = `FROM threads AS t WHERE ${where}`
    const ids = this.#library.remember(LISTS, `${by} ${where} ${JSON.stringify(values)}`, () =>
      Float64Array.from(
        this.#library.index.numbers(`SELECT id ${select} ORDER BY ${by}`, ...values),
      ),
    )
    return { total: ids.length, ids: (offset, limit) => [...ids.subarray(offset, offset + limit)] }
  }

  /** Ids of the people who are assigned to threads of a repository. */
  assignees = ({ firstThread, threads }: IndexedRepository): readonly number[] =>
    this.#library.index.numbers(
      `SELECT DISTINCT person FROM involved
      WHERE role = ${ROLES.assignee} AND thread >= ? AND thread < ?`,
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

const LISTS = new Memo<Float64Array>(({ byteLength }) => byteLength)

/** Whether a list is one of the orders of the index. */
const isPlain = ({
  repositories,
  isPull,
  labels,
  involved,
  isAssigned,
  milestone,
  since,
}: ThreadQuery) =>
  repositories.length === 1 &&
  isPull === undefined &&
  labels === undefined &&
  involved === undefined &&
  isAssigned === undefined &&
  milestone === undefined &&
  since === undefined

function conditionsOf(query: ThreadQuery): { where: string; values: Value[] } {
  const { repositories, state, labels = [], involved = [], isAssigned, milestone, since } = query
  const conditions: [sql: string, ...values: Value[]][] = [
    repositories.length === 1
      ? ['t.repository = ?', repositories[0] as number]
      : ['t.repository IN (SELECT value FROM json_each(?))', JSON.stringify(repositories)],
  ]
  if (state !== 'all') conditions.push([`t.closed = ${Number(state === 'closed')}`])
  if (query.isPull) conditions.push(['t.is_pull'])
  for (const label of labels) {
    conditions.push([
      `t.id IN (SELECT l.thread FROM thread_labels AS l JOIN label_names AS n ON n.id = l.label
        WHERE n.name = lower(?))`,
      label,
    ])
  }
  for (const { role, person } of involved) {
    conditions.push([
      `t.id IN (SELECT thread FROM involved WHERE person = ? AND role = ${ROLES[role]})`,
      person,
    ])
  }
  if (isAssigned !== undefined) {
    conditions.push([
      `t.id ${isAssigned ? '' : 'NOT '}IN (SELECT thread FROM involved WHERE role = ${ROLES.assignee})`,
    ])
  }
  if (typeof milestone === 'boolean') {
    conditions.push([`t.milestone IS ${milestone ? 'NOT ' : ''}NULL`])
  } else if (milestone !== undefined) {
    conditions.push(['t.milestone IN (SELECT id FROM milestones WHERE number = ?)', milestone])
  }
  if (since !== undefined) conditions.push(['coalesce(t.updated, 0) >= ?', since])
  return {
    where: conditions.map(([sql]) => sql).join(' AND '),
    values: conditions.flatMap(([, ...values]) => values),
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
