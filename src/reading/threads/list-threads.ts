import {
  ASSIGNEES,
  COMMENTS,
  closedAt,
  DISCUSSION_COMMENTS,
  MILESTONE_TITLE,
} from '../../database/schema/facts/threads.ts'
import { elementsOf, timeOf } from '../../database/schema/facts/values.ts'
import {
  findOrdered,
  SORT_KEYS,
  type ThreadList,
  type ThreadOrder,
} from '../index/thread-orders.ts'
import { type Label, lostLabel, readLabel } from '../labels.ts'
import { type IndexedLibrary, isIndexed, type Library, type Repository } from '../library.ts'
import { foldCase } from '../names.ts'
import { keepOtherLogins, loginAt, loginsAt, USER_LOGIN } from '../people/logins.ts'
import { Memo } from '../store.ts'
import { asInteger, urlsOf } from '../values.ts'
import { inIndex, inRecords, type ThreadFilter } from './thread-filters.ts'

/** The lists of threads of a repository. */
export type ListName = keyof typeof LISTS

/** The tables of lists, and the parts of urls that say so. */
export const LISTS = {
  issues: { table: 'issues', part: 'issues' },
  pulls: { table: 'pull_requests', part: 'pull' },
  discussions: { table: 'discussions', part: 'discussions' },
} as const

/** A list of a repository, whether there is an index or not. */
export interface ListQuery
  extends Pick<
    ThreadFilter,
    | 'state'
    | 'labels'
    | 'author'
    | 'assignee'
    | 'milestone'
    | 'numbers'
    | 'category'
    | 'createdFrom'
    | 'createdBefore'
  > {
  /** Without it, by creation; when a thread was updated only an index knows. */
  readonly sort?: ThreadOrder['sort'] | undefined
  /** Without it, the newest first. */
  readonly direction?: 'asc' | 'desc'
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
    ${DISCUSSION_COMMENTS} AS comments, NULL AS milestone,
    (SELECT name FROM discussion_categories AS c WHERE c.url = o.discussion_category) AS category`,
}

/** A list of threads of one kind. */
export interface ListedThreads {
  readonly total: number
  rows(offset: number, limit: number): ThreadRow[]
}

/**
 * The threads of a repository that fit, in their order; two of one second in that of their numbers. The index has most orders;
 * without an index threads are sorted once.
 */
export function listThreads(
  library: Library,
  repository: Repository,
  kind: ListName,
  query: ListQuery = {},
): ListedThreads {
  const indexed = findInIndex(library, repository, kind, query)
  if (indexed) {
    const rowidOf = (id: number) => asInteger(library.index?.row(ROW, id)?.[0])
    return {
      total: indexed.total,
      rows: (offset, limit) =>
        readThreadRows(repository, kind, indexed.ids(offset, limit).map(rowidOf)),
    }
  }
  const rowids = sortThreads(repository, kind, query)
  return {
    total: rowids.length,
    rows: (offset, limit) =>
      readThreadRows(repository, kind, [...rowids.subarray(offset, offset + limit)]),
  }
}

/** How many threads of a repository fit: to count them takes a third of the time that it takes to sort them. */
export function countThreads(
  library: Library,
  repository: Repository,
  kind: ListName,
  filter: ListQuery = {},
): number {
  const indexed = findInIndex(library, repository, kind, filter)
  if (indexed) return indexed.total
  const { key, where, values } = selectThreads(repository, kind, filter)
  const { store } = repository
  return store.remember(COUNTED, key, () => store.count(`SELECT count(*) ${where}`, ...values))
}

const COUNTED = new Memo<number>()

const ROW = 'SELECT row FROM threads WHERE id = ?'

const HOME = 'SELECT id, url, database FROM repositories WHERE name = ?'

/** The list in the index; undefined without one, and for what it does not have: discussions, repositories without a record. */
function findInIndex(
  library: Library,
  { store, url, fullName }: Repository,
  kind: ListName,
  { sort = 'created', direction = 'desc', state = 'all', ...filter }: ListQuery,
): ThreadList | undefined {
  if (!isIndexed(library) || kind === 'discussions') return undefined
  const [id, home, database] = library.index.row(HOME, foldCase(fullName)) ?? []
  const isHere = library.stores[Number(database)]?.database === store.database
  if (home !== url || !isHere) return undefined
  const order = { sort, direction, state } as const
  return listIndexed(library, { ...filter, ...order, kind, repositories: [asInteger(id)] })
}

/** A list of threads of some repositories. */
export interface ThreadQuery extends Omit<ThreadFilter, 'state' | 'kind'>, ThreadOrder {
  /** Ids of the repositories to look in. */
  readonly repositories: readonly number[]
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
  const by = [SORT_KEYS[sort], 'number', 'id'].map((column) => `${column} ${direction}`).join(', ')
  const sql = `SELECT id FROM threads AS t
    WHERE t.repository IN (SELECT value FROM json_each(?)) AND ${condition} ORDER BY ${by}`
  const all = [JSON.stringify(repositories), ...values]
  const ids = library.remember(INDEXED, `${sql} ${JSON.stringify(all)}`, () =>
    Float64Array.from(library.index.numbers(sql, ...all)),
  )
  return { total: ids.length, ids: (offset, limit) => [...ids.subarray(offset, offset + limit)] }
}

const INDEXED = new Memo<Float64Array>(({ byteLength }) => byteLength)

/** The rowids of the threads of a repository that fit, in order. They are remembered, so a second page costs nothing. */
function sortThreads(repository: Repository, kind: ListName, query: ListQuery): BigInt64Array {
  const { key, where, values } = selectThreads(repository, kind, query)
  const { sort, direction = 'desc' } = query
  const comments = kind === 'discussions' ? DISCUSSION_COMMENTS : COMMENTS
  const first = sort === 'comments' ? `${comments} ${direction}, ` : ''
  // Two threads of one second are in the order of their numbers, which would have to be cut from the urls of all.
  const sql = `SELECT o.rowid ${where}
    ORDER BY ${first}${timeOf('o.created_at')} ${direction}, length(o.url) ${direction}, o.url ${direction}`
  const { store } = repository
  return store.remember(SORTED, `${first}${direction} ${key}`, () => store.rowids(sql, ...values))
}

const SORTED = new Memo<BigInt64Array>((ids) => ids.byteLength)

function selectThreads(repository: Repository, kind: ListName, filter: ListQuery) {
  repository.store.once(keepOtherLogins)
  const isDiscussion = kind === 'discussions'
  const [condition, ...values] = inRecords(filter, repository, { isDiscussion })
  const where = `FROM ${LISTS[kind].table} AS o WHERE o.repository = ? AND ${condition}`
  const all = [repository.url, ...values]
  return { key: JSON.stringify([where, all]), where, values: all }
}

/** The rows of threads with these rowids. */
export function readThreadRows(
  repository: Repository,
  kind: ListName,
  rowids: readonly (number | bigint)[],
): ThreadRow[] {
  const { store } = repository
  const { table } = LISTS[kind]
  const sql = `SELECT ${COLUMNS[kind]} FROM ${table} AS o WHERE o.rowid = ?`
  return rowids.flatMap((rowid) => {
    const row = store.get<StoredRow>(sql, rowid)
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
