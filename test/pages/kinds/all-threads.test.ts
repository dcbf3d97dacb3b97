import { describe, expect, test } from 'vitest'
import '../../../src/pages/kinds/all-threads.ts'
import { allThreadsOf } from '../../../src/reading/threads/all-threads.ts'
import { issue, KETTLE, pullRequest, repository, SECRET, user } from '../../support/rest-world.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const TITLES = ['“Ärger”', 'zebra', '42 cups', '茶', null, '—']
const world = {
  users: [user('ada')],
  repositories: [repository(KETTLE), repository(SECRET, { private: true })],
  issues: [
    ...TITLES.map((title, i) => issue(`${KETTLE}/issues/${i + 1}`, { title })),
    ...Array.from({ length: 120 }, (_, i) =>
      issue(`${KETTLE}/issues/${i + 100}`, {
        title: `Yarn ${i}`,
        created_at: '2021-01-01T00:00:00Z',
      }),
    ),
    issue(`${SECRET}/issues/1`, { title: 'Hush' }),
    issue(`${KETTLE}/issues/x`, { title: 'Without a number' }),
    issue(`${KETTLE}/issues/77`, { title: 'Undated', created_at: null }),
  ],
  pull_requests: [pullRequest(`${KETTLE}/pull/90`, { title: 'angle' })],
}
const all = sharePages([world])
const shared = sharePages([world], 'public')
const groups = (list: readonly { name: string; count: number }[]) =>
  list.map(({ name, count }) => `${name} ${count}`)

describe('All threads', () => {
  test('are listed by the first letter of their titles, without regard to accents and case', async () => {
    const { letters, count } = allThreadsOf(all.pages.library)
    expect(groups(letters())).toEqual(['A 2', 'H 1', 'U 1', 'Y 120', 'Z 1', '0-9 1', 'other 3'])
    expect(count).toBe(129)
    const html = htmlOf(await all.ask('/-/threads?letter=A'))
    expect(html.indexOf('angle')).toBeLessThan(html.indexOf('Ärger'))
    expect(html).toContain('href="/forge/kettle/pull/90"')
  })

  test('stand by year, the newest first, a hundred on a page', async () => {
    expect(groups(allThreadsOf(all.pages.library).years())).toEqual([
      '2024 8',
      '2021 120',
      'other 1',
    ])
    const pages = await Promise.all(
      ['', '&page=2', '&page=3'].map((page) => all.ask(`/-/threads?year=2021${page}`)),
    )
    expect(pages.map((page) => htmlOf(page).match(/class="row-thread"/g)?.length)).toEqual([
      100,
      20,
      undefined,
    ])
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 404])
  })

  test('do not exist for a letter or year without one', async () => {
    for (const query of ['letter=Q', 'year=1999', 'letter=', "year='"]) {
      expect((await all.ask(`/-/threads?${query}`)).status, query).toBe(404)
    }
  })

  test('of private repositories are not for strangers', async () => {
    expect((await shared.ask('/-/threads?letter=H')).status).toBe(404)
    expect((await shared.ask('/-/threads?letter=Z')).status).toBe(200)
  })
})
