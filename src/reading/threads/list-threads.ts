import {
  ASSIGNEES,
  COMMENTS,
  closedAt,
  MILESTONE_TITLE,
} from '../../database/schema/facts/threads.ts'
import { elementsOf, timeOf } from '../../database/schema/facts/values.ts'
import { type Label, lostLabel, readLabel } from '../labels.ts'
import type { Repository } from '../library.ts'
import { keepOtherLogins, loginAt, loginsAt, USER_LOGIN } from '../people/logins.ts'
import { Memo } from '../store.ts'
import { urlsOf } from '../values.ts'

/** The lists of threads of a repository. */
export type ListName = keyof typeof LISTS

/** The tables of lists, and the parts of urls that say so. */
export const LISTS = {
  issues: { table: 'issues', part: 'issues' },
  pulls: { table: 'pull_requests', part: 'pull' },
  discussions: { table: 'discussions', part: 'discussions' },
} as const

export interface ThreadFilter {
  readonly state?: 'open' | 'closed' | undefined
  /** Urls of records. */
  readonly label?: string | undefined
  readonly milestone?: string | undefined
  readonly category?: string | undefined
  /** Logins. */
  readonly author?: string | undefined
  readonly assignee?: string | undefined
  readonly sort?: 'newest' | 'oldest' | undefined
}

/** A thread as a row of a list. */
export interface ThreadRow {
  readonly url: string
  readonly number: number | null
  readonly title: string | null
  readonly state: string | null
  readonly author: string | null
  readonly created_at: string | null
  readonly closed_at: string | null
  readonly merged_at: string | null
  readonly draft: number | null
  readonly comments: number
  readonly labels: readonly Label[]
  readonly assignees: readonly string[]
  readonly milestone: string | null
  readonly category: string | null
}

type StoredRow = Omit<ThreadRow, 'labels' | 'assignees'> & {
  labels: string | null
  assignees: string | null
}

const COMMON = `o.url, o.number, o.title, ${USER_LOGIN} AS author, o.created_at, o.labels`
const COLUMNS: Record<ListName, string> = {
  issues: `${COMMON}, o.state, o.closed_at, NULL AS merged_at, NULL AS draft, ${ASSIGNEES} AS assignees, ${COMMENTS} AS comments,
    ${MILESTONE_TITLE} AS milestone, NULL AS category`,
  pulls: `${COMMON}, o.state, ${closedAt(true)} AS closed_at, o.merged_at, o.work_in_progress AS draft,
    ${ASSIGNEES} AS assignees, ${COMMENTS} AS comments,
    ${MILESTONE_TITLE} AS milestone, NULL AS category`,
  discussions: `${COMMON}, NULL AS state, NULL AS closed_at, NULL AS merged_at, NULL AS draft, NULL AS assignees,
    0 AS comments, NULL AS milestone,
    (SELECT name FROM discussion_categories AS c WHERE c.url = o.discussion_category) AS category`,
}

const hasElement = (list: string) =>
  `EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(${list}) THEN ${list} END) AS e WHERE e.value = ?)`

/** The threads of a repository that fit, in order. Their places are remembered, so a second page costs nothing. */
export function findThreads(
  repository: Repository,
  kind: ListName,
  filter: ThreadFilter,
): BigInt64Array {
  const { key, where, values } = selectThreads(repository, kind, filter)
  const order = filter.sort === 'oldest' ? '' : 'DESC'
  // Two threads of one second are in the order of their numbers, which would have to be cut from the urls of all.
  const sql = `SELECT o.rowid ${where}
    ORDER BY ${timeOf('o.created_at')} ${order}, length(o.url) ${order}, o.url ${order}`
  const { store } = repository
  return store.remember(SORTED, key, () => store.rowids(sql, ...values))
}

const SORTED = new Memo<BigInt64Array>((ids) => ids.byteLength)

/** How many threads of a repository fit: to count them takes a third of the time that it takes to sort them. */
export function countThreads(repository: Repository, kind: ListName, filter: ThreadFilter): number {
  const { key, where, values } = selectThreads(repository, kind, filter)
  const { store } = repository
  const sorted = store.recall(SORTED, key)
  if (sorted) return sorted.length
  return store.remember(COUNTED, key, () => store.count(`SELECT count(*) ${where}`, ...values))
}

const COUNTED = new Memo<number>()

/** Whether a person has opened it: by the end of their URL, or by the login of their record. */
const BY_AUTHOR = `(o.user_login = ? COLLATE NOCASE
  OR o.user IN (SELECT url FROM temp.other_logins WHERE login = lower(?)))`

function selectThreads({ store, url }: Repository, kind: ListName, filter: ThreadFilter) {
  const conditions = ['o.repository = ?']
  const values: string[] = [url]
  const add = (condition: string, ...all: (string | undefined)[]) => {
    const known = all.filter((value) => value !== undefined)
    if (known.length === 0) return
    conditions.push(condition)
    values.push(...known)
  }
  if (kind !== 'discussions' && filter.state !== undefined) {
    // What is merged is closed, whether it says when or not.
    conditions.push(`o.state ${filter.state === 'open' ? '=' : '<>'} 'open'`)
  }
  add(hasElement('o.labels'), filter.label)
  if (kind !== 'discussions') {
    add('o.milestone = ?', filter.milestone)
    add(hasElement(ASSIGNEES), filter.assignee)
  } else add('o.discussion_category = ?', filter.category)
  if (filter.author !== undefined) store.once(keepOtherLogins)
  add(BY_AUTHOR, filter.author, filter.author)
  const where = `FROM ${LISTS[kind].table} AS o WHERE ${conditions.join(' AND ')}`
  return { key: JSON.stringify([where, values, filter.sort === 'oldest']), where, values }
}

/** The rows of a page of `findThreads`. */
export function readThreadRows(
  repository: Repository,
  kind: ListName,
  ids: BigInt64Array,
): ThreadRow[] {
  const { store } = repository
  const { table } = LISTS[kind]
  const sql = `SELECT ${COLUMNS[kind]} FROM ${table} AS o WHERE o.rowid = ?`
  return [...ids].flatMap((id) => {
    const row = store.get<StoredRow>(sql, id)
    if (!row) return []
    const labels = urlsOf(row.labels).map((url) => readLabel(repository, url) ?? lostLabel(url))
    return [{ ...row, labels, assignees: loginsAt(store, urlsOf(row.assignees)) }]
  })
}

/** People of a menu. */
const MOST_PEOPLE = 50

interface People {
  readonly authors: readonly string[]
  readonly assignees: readonly string[]
}

const PEOPLE = new Memo<People>(
  ({ authors, assignees }) => 60 * (authors.length + assignees.length),
)

/** The logins of those who opened most threads of a repository, and of those who have most of them. */
export function peopleOf({ store, url }: Repository, kind: 'issues' | 'pulls'): People {
  const { table } = LISTS[kind]
  const logins = (sql: string) =>
    store
      .all<{ url: unknown }>(
        `${sql} GROUP BY 1 ORDER BY count(*) DESC, url LIMIT ${MOST_PEOPLE}`,
        url,
      )
      .flatMap(({ url: one }) => (typeof one === 'string' ? (loginAt(store, one) ?? []) : []))
  return store.remember(PEOPLE, `${kind} ${url}`, () => ({
    authors: logins(`SELECT user AS url FROM ${table} WHERE repository = ? AND user IS NOT NULL`),
    assignees: logins(
      `SELECT e.value AS url FROM ${table} AS o, ${elementsOf(ASSIGNEES, 'e')}
       WHERE o.repository = ? AND (o.assignees <> '[]' OR o.assignee IS NOT NULL)`,
    ),
  }))
}

/** A category of discussions. */
export interface Category {
  readonly url: string
  readonly name: string | null
}

const CATEGORIES = 'SELECT url, name FROM discussion_categories WHERE repository = ? ORDER BY name'

/** The categories of the discussions of a repository, by name. */
export const listCategories = ({ store, url }: Repository): Category[] =>
  store.all<Category>(CATEGORIES, url)
