import { describe, expect, test, vi } from 'vitest'
import { openPages } from '../../../src/pages/open-pages.ts'
import {
  countThreads,
  findThreads,
  peopleOf,
  readThreadRows,
  type ThreadFilter,
} from '../../../src/reading/threads/list-threads.ts'
import { threadAt } from '../../../src/reading/threads/read-thread.ts'
import {
  closedIssues,
  participantsOf,
  reviewersOf,
} from '../../../src/reading/threads/thread-facts.ts'
import { timelinesOf } from '../../../src/reading/threads/timeline.ts'
import { HOST, issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { scansOf } from '../../support/scans.ts'
import { sharePages } from '../../support/web.ts'

const LABEL = `${KETTLE}/labels/hot`

const samples = sharePages([
  {
    users: [user('ada')],
    repositories: [repository(KETTLE)],
    issues: [
      ...[9, 100, 10].map((number) =>
        issue(`${KETTLE}/issues/${number}`, {
          created_at: '2024-05-01T00:00:00Z',
          labels: [LABEL],
        }),
      ),
      // An hour earlier, although its text is greater.
      issue(`${KETTLE}/issues/8`, { created_at: '2024-05-01T01:00:00+02:00' }),
      issue(`${KETTLE}/issues/7`, {
        created_at: '2024-04-01T00:00:00Z',
        closed_at: '2024-06-01T00:00:00Z',
      }),
    ],
  },
])

function inKettle<T>(work: (kettle: Parameters<typeof findThreads>[0]) => T): T {
  const pages = openPages(samples.paths)
  try {
    const kettle = pages.library.repositories()[0]
    if (!kettle) throw new Error('there is no repository')
    return work(kettle)
  } finally {
    pages.close()
  }
}

const numbersOf = (filter: ThreadFilter) =>
  inKettle((kettle) =>
    readThreadRows(kettle, 'issues', findThreads(kettle, 'issues', filter)).map(
      ({ number }) => number,
    ),
  )

/** The tables and indexes that a question reads from the first row to the last. */
const scannedBy = (work: (kettle: Parameters<typeof findThreads>[0]) => void) =>
  inKettle((kettle) => {
    const { database } = kettle.store
    const prepare = vi.spyOn(database, 'prepare')
    work(kettle)
    const asked = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^\s*SELECT/.test(sql))
    prepare.mockRestore()
    expect(asked.length).toBeGreaterThan(0)
    return asked.flatMap((sql) => {
      const code = sql.replace(/'[^']*'/g, '')
      const values = Array.from(code.matchAll(/\?/g), () => null)
      const names = Array.from(
        code.matchAll(/:([a-z]+)/g),
        ([, name = '']) => [name, null] as const,
      )
      const bound = names.length > 0 ? [Object.fromEntries(names)] : values
      const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      const details = plan.all(...bound).map(({ detail }) => detail)
      return [
        ...scansOf(database, sql, bound),
        ...details.filter((detail) => /^SCAN .* USING (?:COVERING )?INDEX/.test(detail)),
      ]
    })
  })

describe('No table is read whole', () => {
  test.each<[name: string, filter: ThreadFilter]>([
    ['all', {}],
    ['closed ones, the oldest first', { state: 'closed', sort: 'oldest' }],
    ['those with a label', { state: 'open', label: LABEL }],
    ['those of a milestone', { milestone: `${KETTLE}/milestones/1` }],
    ['those of a person', { author: 'ada', assignee: `${HOST}/ada` }],
  ])('to list and count threads: %s', (_, filter) => {
    for (const list of ['issues', 'pulls', 'discussions'] as const) {
      const scanned = scannedBy((kettle) => {
        countThreads(kettle, list, filter)
        findThreads(kettle, list, filter)
      })
      expect(scanned).toEqual([])
    }
  })

  test('to read the rows of a page, and who opened most threads', () => {
    const scanned = scannedBy((kettle) => {
      expect(readThreadRows(kettle, 'issues', findThreads(kettle, 'issues', {}))).toHaveLength(5)
      peopleOf(kettle, 'issues')
    })
    expect(scanned).toEqual([])
  })

  test('to read a thread, what follows from its records, and its timeline', () => {
    const scanned = scannedBy(({ store }) => {
      expect(threadAt(store, `${KETTLE}/issues/9`)?.title).toBeDefined()
      reviewersOf(store, `${KETTLE}/pull/1`, 9)
      participantsOf(store, 'issue', `${KETTLE}/issues/9`)
      closedIssues(store, `${KETTLE}/pull/1`)
      timelinesOf(store).page(`${KETTLE}/issues/9`, { offset: 0, limit: 9 })
    })
    expect(scanned).toEqual([])
  })
})

test('Threads are listed by time whatever its zone, and those of one second by number', () => {
  expect(numbersOf({})).toEqual([100, 10, 9, 8, 7])
  expect(numbersOf({ sort: 'oldest' })).toEqual([7, 8, 9, 10, 100])
})

test.each<[name: string, filter: ThreadFilter, count: number]>([
  ['all', {}, 5],
  ['open ones', { state: 'open' }, 4],
  ['closed ones', { state: 'closed' }, 1],
  ['those with a label', { label: LABEL }, 3],
  ['those of nobody', { author: 'nobody' }, 0],
])('Threads are counted as they are listed: %s', (_name, filter, count) => {
  inKettle((kettle) => {
    expect(countThreads(kettle, 'issues', filter)).toBe(count)
    expect(findThreads(kettle, 'issues', filter)).toHaveLength(count)
    expect(countThreads(kettle, 'issues', filter)).toBe(count)
  })
})
