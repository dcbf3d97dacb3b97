import { expect, test } from 'vitest'
import { openPages } from '../../../src/web/open-pages.ts'
import {
  countThreads,
  findThreads,
  readThreadRows,
  type ThreadFilter,
} from '../../../src/web/read/lists.ts'
import { issue, KETTLE, repository, user } from '../../support/rest-world.ts'
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
