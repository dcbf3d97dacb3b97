import { describe, expect, test } from 'vitest'
import { issue, KETTLE, repository, user } from '../support/rest-world.ts'
import { htmlOf, sharePages } from '../support/web.ts'

const COMMENTS = 95
const comment = (number: number) => ({
  ...{
    type: 'issue_comment',
    url: `${KETTLE}/issues/1#issuecomment-${number}`,
    issue: `${KETTLE}/issues/1`,
  },
  ...{
    user: 'https://forge.example/ada',
    body: `Word ${number}`,
    formatter: 'markdown',
    reactions: [],
  },
  created_at: `2024-05-06T03:${String(Math.floor(number / 60)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}Z`,
})

describe('An empty database', () => {
  const { ask } = sharePages([{}])
  test.each(['/', '/-/archives', '/-/problems', '/-/people', '/-/about', '/search?q=x'])(
    'has the page %s',
    async (path) => {
      expect((await ask(path)).status).toBe(200)
    },
  )
})

describe('Threads of a repository without a record', () => {
  const world = {
    issues: [issue(`${KETTLE}/issues/1`), issue('nonsense'), issue(`${KETTLE}/issues/x`)],
  }
  const { ask } = sharePages([world])

  test('have pages, and the repository too', async () => {
    for (const path of [
      '/forge',
      '/forge/kettle',
      '/forge/kettle/issues',
      '/forge/kettle/issues/1',
      '/forge/kettle/labels',
    ]) {
      expect((await ask(path)).status, path).toBe(200)
    }
  })

  const strangers = sharePages([world], 'public')
  test('are not for strangers: nothing says that it is public', async () => {
    expect((await strangers.ask('/forge/kettle/issues/1')).status).toBe(404)
  })
})

describe('A long thread', () => {
  const { ask } = sharePages([
    {
      users: [user('ada')],
      repositories: [repository(KETTLE)],
      issues: [issue(`${KETTLE}/issues/1`, { body: `See ${KETTLE}/issues/1#issuecomment-90` })],
      issue_comments: Array.from({ length: COMMENTS }, (_, i) => comment(i + 1)),
    },
  ])
  const countOf = (html: string) => html.match(/id="issuecomment-\d+"/g)?.length

  test('has forty items on a page, and its text on the first', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => ask(`/forge/kettle/issues/1?page=${page}`)),
    )
    expect(pages.map(htmlOf).map(countOf)).toEqual([40, 40, 15])
    expect(pages.map((page) => htmlOf(page).includes('id="opened"'))).toEqual([true, false, false])
    expect((await ask('/forge/kettle/issues/1?page=4')).status).toBe(404)
  })

  test('is linked at the page that has a comment', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/1'))
    expect(html).toContain('href="/forge/kettle/issues/1?page=3#issuecomment-90"')
  })
})
