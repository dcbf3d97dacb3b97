import { objectsOf } from '../../thread/names.ts'
import { type Repository, urlsOf } from './library.ts'

/** A label as lists show it. */
export interface Label {
  readonly url: string
  readonly name: string
  /** Six hexadecimal digits; undefined if the record has no such color. */
  readonly color: string | undefined
  readonly description: string | undefined
}

export type ThreadKind = 'issues' | 'pulls' | 'discussions'

/** The table of a kind, and the part of a url that says so. */
export const THREAD_TABLES = {
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

const count = (column: string) =>
  `(SELECT count(*) FROM issue_comments AS c WHERE c.${column} = o.url)`
const COMMON = 'o.url, o.number, o.title, o.user_login AS author, o.created_at, o.labels'
const COLUMNS: Record<ThreadKind, string> = {
  issues: `${COMMON}, o.state, o.closed_at, NULL AS merged_at, NULL AS draft, o.assignees, ${count('issue')} AS comments,
    (SELECT title FROM milestones AS m WHERE m.url = o.milestone) AS milestone, NULL AS category`,
  pulls: `${COMMON}, o.state, o.closed_at, o.merged_at, o.work_in_progress AS draft, o.assignees, ${count('pull_request')}
    + (SELECT count(*) FROM pull_request_reviews AS r WHERE r.pull_request = o.url AND coalesce(r.body, '') <> '') AS comments,
    (SELECT title FROM milestones AS m WHERE m.url = o.milestone) AS milestone, NULL AS category`,
  discussions: `${COMMON}, NULL AS state, NULL AS closed_at, NULL AS merged_at, NULL AS draft, NULL AS assignees,
    0 AS comments, NULL AS milestone,
    (SELECT name FROM discussion_categories AS c WHERE c.url = o.discussion_category) AS category`,
}

const hasElement = (column: string) =>
  `EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(o.${column}) THEN o.${column} END) AS e WHERE e.value = ?)`

/** The threads of a repository that fit, in order. Their places are remembered, so a second page costs nothing. */
export function findThreads(
  repository: Repository,
  kind: ThreadKind,
  filter: ThreadFilter,
): BigInt64Array {
  const { key, where, values } = selectThreads(repository, kind, filter)
  const order = filter.sort === 'oldest' ? '' : 'DESC'
  // Two threads of one second are in the order of their numbers, which would have to be cut from the urls of all.
  const sql = `SELECT o.rowid ${where}
    ORDER BY unixepoch(o.created_at) ${order}, length(o.url) ${order}, o.url ${order}`
  const { store } = repository
  return store.remember(
    key,
    () => store.rowids(sql, ...values),
    (ids) => ids.byteLength,
  )
}

/** How many threads of a repository fit: to count them takes a third of the time that it takes to sort them. */
export function countThreads(
  repository: Repository,
  kind: ThreadKind,
  filter: ThreadFilter,
): number {
  const { key, where, values } = selectThreads(repository, kind, filter)
  const { store } = repository
  const sorted = store.recall<BigInt64Array>(key)
  if (sorted) return sorted.length
  return store.remember(`count ${key}`, () => store.count(`SELECT count(*) ${where}`, ...values))
}

function selectThreads({ url }: Repository, kind: ThreadKind, filter: ThreadFilter) {
  const conditions = ['o.repository = ?']
  const values: string[] = [url]
  const add = (condition: string, value: string | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  if (kind !== 'discussions' && filter.state !== undefined) {
    conditions.push(`o.closed_at IS ${filter.state === 'open' ? '' : 'NOT '}NULL`)
  }
  add(hasElement('labels'), filter.label)
  if (kind !== 'discussions') {
    add('o.milestone = ?', filter.milestone)
    add(hasElement('assignees'), filter.assignee)
  } else add('o.discussion_category = ?', filter.category)
  add('o.user_login = ? COLLATE NOCASE', filter.author)
  const where = `FROM ${THREAD_TABLES[kind].table} AS o WHERE ${conditions.join(' AND ')}`
  return { key: JSON.stringify([where, values, filter.sort === 'oldest']), where, values }
}

/** The rows of a page of `findThreads`. */
export function readThreadRows(
  repository: Repository,
  kind: ThreadKind,
  ids: BigInt64Array,
): ThreadRow[] {
  const { store } = repository
  const { table } = THREAD_TABLES[kind]
  const sql = `SELECT ${COLUMNS[kind]} FROM ${table} AS o WHERE o.rowid = ?`
  const known = labelsOf(repository)
  return [...ids].flatMap((id) => {
    const row = store.get<StoredRow>(sql, id)
    if (!row) return []
    const labels = urlsOf(row.labels).map((url) => known.get(url) ?? unknownLabel(url))
    const assignees = urlsOf(row.assignees).map((url) => url.slice(url.lastIndexOf('/') + 1))
    return [{ ...row, labels, assignees }]
  })
}

/** People of a menu. */
const MOST_PEOPLE = 50

/** The logins of those who opened most threads of a repository, and of those who have most of them. */
export function peopleOf(
  { store, url }: Repository,
  kind: 'issues' | 'pulls',
): { authors: readonly string[]; assignees: readonly string[] } {
  const { table } = THREAD_TABLES[kind]
  const logins = (sql: string) =>
    store
      .all<{ url: unknown }>(
        `${sql} GROUP BY 1 ORDER BY count(*) DESC, url LIMIT ${MOST_PEOPLE}`,
        url,
      )
      .flatMap(({ url: one }) =>
        typeof one === 'string' ? [one.slice(one.lastIndexOf('/') + 1)] : [],
      )
  return store.remember(
    `people ${kind} ${url}`,
    () => ({
      authors: logins(`SELECT user AS url FROM ${table} WHERE repository = ? AND user IS NOT NULL`),
      assignees: logins(
        `SELECT e.value AS url FROM ${table} AS o, json_each(CASE WHEN json_valid(o.assignees) THEN o.assignees END) AS e
         WHERE o.repository = ? AND o.assignees <> '[]'`,
      ),
    }),
    ({ authors, assignees }) => 60 * (authors.length + assignees.length),
  )
}

/** The labels of a repository by url. */
export function labelsOf({ store, url }: Repository): ReadonlyMap<string, Label> {
  return store.remember(
    `labels ${url}`,
    () => {
      const json = store.get<{ labels: string | null }>(
        'SELECT labels FROM repositories WHERE url = ?',
        url,
      )?.labels
      const labels = objectsOf(json ?? null).flatMap((one): [string, Label][] => {
        const { url: address, name, color, description } = one
        if (typeof address !== 'string' || typeof name !== 'string') return []
        return [
          [
            address,
            { url: address, name, color: asColor(color), description: asText(description) },
          ],
        ]
      })
      return new Map(labels)
    },
    (labels) => labels.size * 300,
  )
}

/** A label without a record: its name is the end of its url. */
function unknownLabel(url: string): Label {
  const end = url.slice(url.lastIndexOf('/') + 1)
  return { url, name: decoded(end), color: undefined, description: undefined }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A color as six hexadecimal digits; undefined for anything else. */
export const asColor = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** How many threads of each kind are open, and how many discussions and releases there are. */
export interface TabCounts {
  readonly issues: number
  readonly pulls: number
  readonly discussions: number
  readonly releases: number
  readonly projects: number
}

export function countTabs({ store, url }: Repository): TabCounts {
  const open = (table: string, rest = '') =>
    store.count(`SELECT count(*) FROM ${table} WHERE repository = ? ${rest}`, url)
  return store.remember(`counts ${url}`, () => ({
    issues: open('issues', 'AND closed_at IS NULL'),
    pulls: open('pull_requests', 'AND closed_at IS NULL'),
    discussions: open('discussions'),
    releases: open('releases'),
    projects: store.count(
      'SELECT count(*) FROM projects WHERE url > ? AND url < ?',
      ...[`${url}/projects/`, `${url}/projects0`],
    ),
  }))
}
