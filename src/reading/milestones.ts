/** Milestones, as `database/schema/facts/repositories.ts` has them. */

import type { IndexedLibrary, Repository } from './library.ts'
import { Memo } from './remembered.ts'
import type { IndexedRepository } from './repositories.ts'
import { asInteger, asText } from './values.ts'

/** A milestone. Times are in UTC, and null if they are none. */
export interface Milestone {
  readonly url: string
  readonly number: number | null
  readonly title: string | null
  readonly description: string | null
  /** Who made it, by URL. */
  readonly user: string | null
  readonly state: 'open' | 'closed'
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly dueAt: string | null
  readonly closedAt: string | null
  /** Issues and pull requests; what is merged is closed. */
  readonly openThreads: number
  readonly closedThreads: number
}

const COLUMNS = `url, number, title, description, user, state, created_at AS createdAt, updated_at AS updatedAt,
  due_at AS dueAt, closed_at AS closedAt, open_threads AS openThreads, closed_threads AS closedThreads`

/** The milestone with a URL; undefined without a record. */
export const readMilestone = (
  { store }: Pick<Repository, 'store'>,
  url: string,
): Milestone | undefined =>
  store.remember(FOUND, url, () =>
    store.get<Milestone>(`SELECT ${COLUMNS} FROM milestone_facts WHERE url = ?`, url),
  )

/** About how many bytes a milestone takes without its texts. */
const MILESTONE_BYTES = 600
const FOUND = new Memo<Milestone | undefined>(
  (found) =>
    MILESTONE_BYTES + 2 * ((found?.description ?? '').length + (found?.title ?? '').length),
)

/** Orders of lists, by whatever is unknown last. */
const ORDERS = {
  number: "state = 'open' DESC, number",
  due_on: 'due_at IS NULL, due_at',
  completeness: 'CAST(closed_threads AS REAL) / max(open_threads + closed_threads, 1)',
} as const

export interface MilestoneQuery {
  readonly state: 'open' | 'closed' | 'all'
  /** By number, the day it is due, or the part of it that is closed. */
  readonly sort: keyof typeof ORDERS
  readonly direction: 'asc' | 'desc'
}

/** The URLs of the milestones of a repository, in order. Those that are never due come last in either direction. */
export const listMilestones = (
  { store, url }: Repository,
  { state, sort, direction }: MilestoneQuery,
): readonly string[] =>
  store.remember(LISTED, `${url} ${state} ${sort} ${direction}`, () => {
    const isWanted = state === 'all' ? '' : ` AND state = '${state}'`
    const sql = `SELECT url FROM milestone_facts WHERE repository = ? AND url IS NOT NULL${isWanted}
      ORDER BY ${ORDERS[sort]} ${direction}, number ${direction}, url`
    return store.all<{ url: string }>(sql, url).map(({ url }) => url)
  })

const LISTED = new Memo<readonly string[]>((urls) => 200 * urls.length)

/** Whether a milestone has a record. */
export const hasMilestone = ({ store }: Pick<Repository, 'store'>, url: string): boolean =>
  store.get('SELECT 1 FROM milestones WHERE url = ?', url) !== undefined

const TITLED = 'SELECT number, title FROM milestones WHERE repository = ? AND number IS NOT NULL'

type Titled = Pick<Milestone, 'title'> & { readonly number: number }

/** The number of a milestone with a title; undefined without one. */
export const milestoneTitled = ({ store, url }: Repository, title: string): number | undefined =>
  store.get<Titled>(`${TITLED} AND title = ? ORDER BY number`, url, title)?.number

/** The milestones of a repository with the highest numbers. */
export const newestMilestones = ({ store, url }: Repository, limit: number): Titled[] =>
  store.all<Titled>(`${TITLED} ORDER BY number DESC LIMIT ?`, url, limit)

/** Finds milestones by their places in the index. */
export class Milestones {
  readonly #library: IndexedLibrary

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  findByNumber = ({ id }: IndexedRepository, number: number): number | undefined =>
    this.#library.index.numbers(
      'SELECT id FROM milestones WHERE repository = ? AND number = ?',
      id,
      number,
    )[0]

  /** The url of a milestone. */
  urlOf = (id: number): string =>
    asText(this.#library.index.row('SELECT url FROM milestones WHERE id = ?', id)?.[0])

  /** The milestones of a repository. Milestones without a due date come last in either direction. */
  list(repository: IndexedRepository, query: MilestoneQuery): number[] {
    const places = new Map(
      this.#library.index
        .rows('SELECT url, id FROM milestones WHERE repository = ?', repository.id)
        .map(([place, number]) => [place, asInteger(number)] as const),
    )
    return listMilestones(repository, query).flatMap((each) => places.get(each) ?? [])
  }

  /** Names of the labels that threads of a milestone have, in lower case. */
  labels(milestone: number): ReadonlySet<string> {
    return this.#library.remember(
      LABELS_OF,
      String(milestone),
      () => new Set(this.#library.index.rows(LABELS, milestone).map(([name]) => String(name))),
    )
  }
}

const LABELS_OF = new Memo<ReadonlySet<string>>(({ size }) => 100 * size)

const LABELS = `SELECT name FROM label_names WHERE id IN (
  SELECT l.label FROM thread_labels AS l JOIN threads AS t ON t.id = l.thread WHERE t.milestone = ?)`
