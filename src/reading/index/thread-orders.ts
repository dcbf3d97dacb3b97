import type { Database } from '../../database/database.ts'
import type { IndexedLibrary } from '../library.ts'
import { asInteger } from '../values.ts'
import type { Known } from './index-schema.ts'

/** The parameters of all lists of threads. */
export interface ThreadOrder {
  readonly state: 'open' | 'closed' | 'all'
  readonly sort: keyof typeof SORT_KEYS
  readonly direction: 'asc' | 'desc'
  /** Issues or pull requests alone; only those by creation are ordered. */
  readonly kind?: 'issues' | 'pulls' | undefined
}

/** Ids of threads, a page at a time. */
export interface ThreadList {
  readonly total: number
  ids(offset: number, limit: number): readonly number[]
}

/** What lists are sorted by, over the threads of the index. */
export const SORT_KEYS = {
  created: 'coalesce(created, 0)',
  updated: 'coalesce(updated, 0)',
  comments: 'comments',
} as const

/** How the index orders threads within each repository. One by creation is missing: ids of threads are in that order. */
const ORDERS = {
  createdByState: 'closed, id',
  createdByKind: 'is_pull, id',
  createdByKindAndState: 'is_pull, closed, id',
  updated: `${SORT_KEYS.updated}, number, id`,
  updatedByState: `closed, ${SORT_KEYS.updated}, number, id`,
  comments: `${SORT_KEYS.comments}, number, id`,
  commentsByState: `closed, ${SORT_KEYS.comments}, number, id`,
} as const

type Order = keyof typeof ORDERS
const NAMES = Object.keys(ORDERS) as Order[]

/** Where the ids of an order begin, after those of the order before. Every index has fewer threads. */
const ORDER_UNIT = 2 ** 32

/** Orders the threads that were added; all threads are in the order of repositories. */
export function orderThreads(index: Database, { threads }: Known): void {
  index.exec('CREATE TEMP TABLE ordered (place INTEGER PRIMARY KEY, thread INTEGER)')
  for (const [i, name] of NAMES.entries()) {
    // To number rows as they are inserted takes less than a window function.
    index.exec(`INSERT INTO temp.ordered (thread)
        SELECT id FROM threads WHERE id > ${threads} ORDER BY repository, ${ORDERS[name]};
      INSERT INTO thread_orders (id, thread)
        SELECT ${i * ORDER_UNIT + threads} + place, thread FROM temp.ordered ORDER BY place;
      DELETE FROM temp.ordered`)
  }
  index.exec('DROP TABLE temp.ordered')
}

/** Where a list of one repository without further conditions is in the index: a range of positions. */
export function findOrdered(
  library: IndexedLibrary,
  repository: number,
  { state, sort, direction, kind }: ThreadOrder,
): ThreadList {
  const [first = 0, all = 0, open = 0, pulls = 0, openPulls = 0] = (
    library.index.row(FACTS, repository) ?? []
  ).map(asInteger)
  const counts = {
    both: { all, open, closed: all - open },
    issues: {
      all: all - pulls,
      open: open - openPulls,
      closed: all - pulls - (open - openPulls),
    },
    pulls: { all: pulls, open: openPulls, closed: pulls - openPulls },
  }
  const { [state]: total } = counts[kind ?? 'both']
  const order = orderOf({ state, sort, kind })
  // In every order the threads of the repositories before come first, then issues, and of each open threads first.
  const base = order === undefined ? first : NAMES.indexOf(order) * ORDER_UNIT + first
  const ofKind = base + (kind === 'pulls' ? counts.issues.all : 0)
  const start = ofKind + (state === 'closed' ? counts[kind ?? 'both'].open : 0)
  const isDown = direction === 'desc'
  return {
    total,
    ids(offset, limit) {
      const length = Math.max(0, Math.min(limit, total - offset))
      const from = isDown ? start + total - offset - length : start + offset
      const found =
        order === undefined
          ? Array.from({ length }, (_, i) => from + i)
          : library.index.numbers(PAGE, from, from + length)
      return isDown ? found.reverse() : found
    },
  }
}

/** The order that has a list; undefined for that of the ids. */
function orderOf({ state, sort, kind }: Omit<ThreadOrder, 'direction'>): Order | undefined {
  if (kind !== undefined) return state === 'all' ? 'createdByKind' : 'createdByKindAndState'
  if (state !== 'all') return `${sort}ByState`
  return sort === 'created' ? undefined : sort
}

const FACTS = `SELECT first_thread, threads, open_threads, pull_requests, open_pull_requests
  FROM repositories WHERE id = ?`

/** A page of an order, whose price does not depend on its place. */
export const PAGE = 'SELECT thread FROM thread_orders WHERE id >= ? AND id < ? ORDER BY id'
