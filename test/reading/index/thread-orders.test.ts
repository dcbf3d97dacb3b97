import { describe, expect, test } from 'vitest'
import { PAGE } from '../../../src/reading/index/thread-orders.ts'
import type { ThreadQuery } from '../../../src/reading/threads/list-threads.ts'
import {
  at,
  comment,
  issue,
  KETTLE,
  NOTES,
  pullRequest,
  SECRET,
  worldRecords,
} from '../../support/rest-world.ts'
import { shareCatalog } from '../../support/serve-world.ts'
import { everyDay } from '../../support/thorough.ts'

const HOMES = [KETTLE, SECRET, NOTES]

/** Threads of three repositories, whose times, states and numbers of comments agree in part. */
const threads = HOMES.flatMap((home, h) =>
  Array.from({ length: 23 - 4 * h }, (_, i) => {
    const created_at = at(`0${2 + (i % 3)}:00:00`)
    const closed_at = i % 2 === 0 ? null : at('09:00:00')
    const more = { created_at, closed_at, updated_at: at(`0${5 + (i % 4)}:00:00`) }
    return i % 5 === 4
      ? pullRequest(`${home}/pull/${i + 1}`, more)
      : issue(`${home}/issues/${i + 1}`, more)
  }),
)
const comments = threads.flatMap(({ type, url }, i) =>
  type === 'issue' ? Array.from({ length: i % 3 }, (_, n) => comment(url, 100 * i + n + 1)) : [],
)
const catalog = shareCatalog([
  {
    ...worldRecords(),
    issues: threads.filter(({ type }) => type === 'issue'),
    pull_requests: threads.filter(({ type }) => type === 'pull_request'),
    issue_comments: comments,
    issue_events: [],
  },
])

const SORTS = ['created', 'updated', 'comments'] as const
const LISTS = HOMES.flatMap((home) =>
  SORTS.flatMap((sort) =>
    (['all', 'open', 'closed'] as const).flatMap((state) =>
      (['asc', 'desc'] as const).flatMap((direction) =>
        [undefined, 'issues' as const, 'pulls' as const].map((kind) => ({
          home,
          kind,
          sort,
          state,
          direction,
        })),
      ),
    ),
  ),
)

describe('Threads of a repository', () => {
  everyDay(69)(LISTS)('$home by $sort, $state, $kind, $direction', ({ home, ...query }) => {
    const reader = catalog().read()
    const repository = reader.repositories.findByUrl(home)?.id as number
    const asked: ThreadQuery = { ...query, repositories: [repository] }
    const list = reader.threads.list(asked)
    const pages = Array.from({ length: Math.ceil(list.total / 4) + 1 }, (_, i) =>
      list.ids(4 * i, 4),
    )
    // The same without an order of the index: a condition that all threads meet.
    const sorted = reader.threads.list({ ...asked, since: 0 })
    expect(pages.flat()).toEqual(sorted.ids(0, 100))
    expect(list.total).toBe(sorted.total)
    expect(pages.at(-1)).toEqual([])
  })

  test('are read by position, so that the last page takes no longer than the first', () => {
    const plan = catalog().read().library.index.all(`EXPLAIN QUERY PLAN ${PAGE}`, 1, 2)
    expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
      'SEARCH thread_orders USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    ])
  })

  test('of a repository without any are none', () => {
    const list = catalog()
      .read()
      .threads.list({
        repositories: [9999],
        state: 'open',
        sort: 'updated',
        direction: 'desc',
      })
    expect([list.total, list.ids(0, 30)]).toEqual([0, []])
  })
})
