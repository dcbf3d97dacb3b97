import { describe, expect, test, vi } from 'vitest'
import { openPages } from '../../../src/pages/open-pages.ts'
import { Library, type Repository } from '../../../src/reading/library.ts'
import {
  countThreads,
  type ListQuery,
  listThreads,
  peopleOf,
} from '../../../src/reading/threads/list-threads.ts'
import { threadAt } from '../../../src/reading/threads/read-thread.ts'
import {
  closedIssuesOf,
  participantsOf,
  reviewersOf,
} from '../../../src/reading/threads/thread-facts.ts'
import { timelinesOf } from '../../../src/reading/threads/timeline.ts'
import { oddRecords } from '../../faces/odd-world.ts'
import { openIndexed } from '../../support/indexed-library.ts'
import { issue, KETTLE, repository, user, worldRecords } from '../../support/rest-world.ts'
import { scansOf } from '../../support/scans.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
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

function inKettle<T>(work: (kettle: Repository, library: Library) => T): T {
  const pages = openPages(samples.paths)
  try {
    const kettle = pages.library.repositories()[0]
    if (!kettle) throw new Error('there is no repository')
    return work(kettle, pages.library)
  } finally {
    pages.close()
  }
}

const numbersOf = (query: ListQuery) =>
  inKettle((kettle, library) =>
    listThreads(library, kettle, 'issues', query)
      .rows(0, 9)
      .map(({ number }) => number),
  )

/** The tables and indexes that a question reads from the first row to the last. */
const scannedBy = (work: (kettle: Repository, library: Library) => void) =>
  inKettle((kettle, library) => {
    const { database } = kettle.store
    const prepare = vi.spyOn(database, 'prepare')
    work(kettle, library)
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
  everyDay(1)<[name: string, filter: ListQuery]>([
    ['all', {}],
    ['closed ones, the oldest first', { state: 'closed', direction: 'asc' }],
    ['those with a label', { state: 'open', labels: ['hot'] }],
    ['those of a milestone', { milestone: 1 }],
    ['those of a person', { author: 'ada', assignee: 'ada' }],
  ])('to list and count threads: %s', (_, filter) => {
    for (const list of ['issues', 'pulls', 'discussions'] as const) {
      const scanned = scannedBy((kettle, library) => {
        countThreads(library, kettle, list, filter)
        listThreads(library, kettle, list, filter).rows(0, 9)
      })
      expect(scanned).toEqual([])
    }
  })

  test('to read the rows of a page, and who opened most threads', () => {
    const scanned = scannedBy((kettle, library) => {
      expect(listThreads(library, kettle, 'issues').rows(0, 9)).toHaveLength(5)
      peopleOf(kettle, 'issues')
    })
    expect(scanned).toEqual([])
  })

  test('to read a thread, what follows from its records, and its timeline', () => {
    const scanned = scannedBy(({ store }) => {
      expect(threadAt(store, `${KETTLE}/issues/9`)?.title).toBeDefined()
      reviewersOf(store, `${KETTLE}/pull/1`, 9)
      participantsOf(store, 'issue', `${KETTLE}/issues/9`)
      closedIssuesOf(store, [`${KETTLE}/pull/1`])
      timelinesOf(store).page(`${KETTLE}/issues/9`, { offset: 0, limit: 9 })
    })
    expect(scanned).toEqual([])
  })
})

test('Threads are listed by time whatever its zone, and those of one second by number', () => {
  expect(numbersOf({})).toEqual([100, 10, 9, 8, 7])
  expect(numbersOf({ direction: 'asc' })).toEqual([7, 8, 9, 10, 100])
})

everyDay(2)<[name: string, filter: ListQuery, count: number]>([
  ['all', {}, 5],
  ['open ones', { state: 'open' }, 4],
  ['closed ones', { state: 'closed' }, 1],
  ['those with a label', { labels: ['hot'] }, 3],
  ['those of nobody', { author: 'nobody' }, 0],
])('Threads are counted as they are listed: %s', (_name, filter, count) => {
  inKettle((kettle, library) => {
    expect(countThreads(library, kettle, 'issues', filter)).toBe(count)
    const { total, rows } = listThreads(library, kettle, 'issues', filter)
    expect([total, rows(0, 9).length]).toEqual([count, count])
  })
})

const odd = sharePages([oddRecords(), worldRecords()])

/** Lists of all kinds: every filter with a value that finds something, and one that finds nothing. */
const QUERIES: readonly ListQuery[] = [
  {},
  { direction: 'asc' },
  ...(['open', 'closed', 'all'] as const).map((state) => ({ state })),
  ...['bug', 'BUG', 'good first issue', 'lost', 'nothing'].map((label) => ({ labels: [label] })),
  ...['ada', 'ADA', 'bob', 'ghost', 'lamplighter[bot]', 'nobody', "it's"].flatMap((login) => [
    { author: login },
    { assignee: login },
  ]),
  ...[1, 2, 77].map((milestone) => ({ milestone })),
  { state: 'open', author: 'ada', labels: ['bug'], direction: 'asc' },
]

describe('With an index and without', () => {
  test('the lists and counts of all repositories are the same', THOROUGH, () => {
    const [indexed, library] = [openIndexed(odd.paths), Library.open(odd.paths)]
    try {
      const found = (library: Library, query: ListQuery) =>
        library.repositories().flatMap((repository) =>
          (['issues', 'pulls', 'discussions'] as const).map((kind) => {
            const { total, rows } = listThreads(library, repository, kind, query)
            const urls = rows(0, total + 1).map(({ url }) => url)
            const page = rows(1, 2).map(({ url }) => url)
            return [kind, total, countThreads(library, repository, kind, query), urls, page]
          }),
        )
      for (const query of QUERIES) {
        const lists = found(library, query)
        expect({ query, lists: found(indexed, query) }).toEqual({ query, lists })
      }
    } finally {
      indexed.close()
      library.close()
    }
  })
})
