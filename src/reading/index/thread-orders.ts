import type { IndexedLibrary } from '../library.ts'
import { asInteger } from '../values.ts'

/** The parameters of all lists of threads. */
export interface ThreadOrder {
  readonly state: 'open' | 'closed' | 'all'
  readonly sort: 'created' | 'updated' | 'comments'
  readonly direction: 'asc' | 'desc'
}

/** Ids of threads, a page at a time. */
export interface ThreadList {
  readonly total: number
  ids(offset: number, limit: number): readonly number[]
}

/** How the index orders threads within each repository. One by creation is missing: ids of threads are in that order. */
const ORDERS = {
  createdByState: 'closed, id',
  updated: 'coalesce(updated, 0), number, id',
  updatedByState: 'closed, coalesce(updated, 0), number, id',
  comments: 'comments, number, id',
  commentsByState: 'closed, comments, number, id',
} as const

type Order = keyof typeof ORDERS
const NAMES = Object.keys(ORDERS) as Order[]

/** SQL that fills `thread_orders`: one order after the other, each with all threads in the order of repositories. */
export const ORDER_THREADS = NAMES.map(
  (name) =>
    `INSERT INTO thread_orders (thread) SELECT id FROM threads ORDER BY repository, ${ORDERS[name]}`,
).join(';\n')

/** Where a list of one repository without further conditions is in the index: a range of positions. */
export function findOrdered(
  library: IndexedLibrary,
  repository: number,
  { state, sort, direction }: ThreadOrder,
): ThreadList {
  const [first = 0, all = 0, open = 0, threads = 0] = (
    library.index.row(FACTS, repository) ?? []
  ).map(asInteger)
  const total = { all, open, closed: all - open }[state]
  const order: Order | 'created' = state === 'all' ? sort : `${sort}ByState`
  // In every order the threads of the repositories before come first, and open threads before closed ones.
  const base = order === 'created' ? first : NAMES.indexOf(order) * threads + first
  const start = base + (state === 'closed' ? open : 0)
  const isDown = direction === 'desc'
  return {
    total,
    ids(offset, limit) {
      const length = Math.max(0, Math.min(limit, total - offset))
      const from = isDown ? start + total - offset - length : start + offset
      const found =
        order === 'created'
          ? Array.from({ length }, (_, i) => from + i)
          : library.index.numbers(PAGE, from, from + length)
      return isDown ? found.reverse() : found
    },
  }
}

const FACTS = `SELECT first_thread, threads, open_threads, (SELECT max(id) FROM threads)
  FROM repositories WHERE id = ?`

/** A page of an order, whose price does not depend on its place. */
export const PAGE = 'SELECT thread FROM thread_orders WHERE id >= ? AND id < ? ORDER BY id'
