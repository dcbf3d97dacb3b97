import { describe, expect, test } from 'vitest'
import '../../../src/pages/kinds/person-lists.ts'
import { openPages } from '../../../src/pages/open-pages.ts'
import {
  comment,
  HOST,
  issue,
  KETTLE,
  PULL,
  pullRequest,
  repository,
  review,
  SECRET,
  user,
} from '../../support/rest-world.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const day = (number: number) => `2024-05-${String(number).padStart(2, '0')}T10:00:00Z`
const world = {
  users: [
    user('ada', { name: 'Ada Kettle' }),
    user('bob'),
    user('eve'),
    user('other', { url: `${HOST}/renamed` }),
  ],
  repositories: [repository(KETTLE), repository(SECRET, { private: true })],
  issues: [
    issue(`${KETTLE}/issues/1`, { title: 'Cold', created_at: day(1) }),
    issue(`${KETTLE}/issues/3`, { title: 'Loud', created_at: '2024-06-02T00:00:00Z' }),
    issue(`${SECRET}/issues/1`, { title: 'Hidden', created_at: 'yesterday' }),
  ],
  pull_requests: [
    pullRequest(PULL, { title: 'Boil sooner', merged_at: day(9), closed_at: day(9) }),
    pullRequest(`${KETTLE}/pull/4`, {
      user: `${HOST}/ada`,
      title: 'Draft',
      work_in_progress: true,
    }),
  ],
  issue_comments: [
    ...Array.from({ length: 30 }, (_, i) =>
      comment(`${KETTLE}/issues/1`, 100 + i, {
        user: `${HOST}/ada`,
        body: `> cited\n\nComment <b>${i}</b>`,
        created_at: day(1 + (i % 28)),
      }),
    ),
    comment(`${KETTLE}/issues/1`, 99, { body: 'by bob', created_at: day(3) }),
  ],
  pull_request_reviews: [
    review(31, { state: 30, body: 'Hotter', submitted_at: day(8) }),
    review(32, { state: 40, submitted_at: day(9) }),
  ],
}
const pages = sharePages([world])
const { ask } = pages
const strangers = sharePages([world], 'public')

/** Rows of a page: the text of the title, where it leads, and what stands below. */
async function rowsOf(address: string) {
  const html = htmlOf(await ask(address))
  const rows = html.match(/<li class="row-thread">[\s\S]*?<\/li>/g) ?? []
  return rows.map((row) => ({
    to: /<h3><a href="([^"]*)"/.exec(row)?.[1],
    text: (/<h3>[\s\S]*/.exec(row)?.[0] ?? '')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

describe('The page of a person', () => {
  test('counts what they wrote, and leads to each list', async () => {
    const html = htmlOf(await ask('/ada'))
    const tabs = /<nav class="sub-tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? ''
    expect(
      [...tabs.matchAll(/href="([^"]*)"[^>]*>([^<]*)(?:<[^>]*>(\d+))?/g)].map((one) =>
        one.slice(1),
      ),
    ).toEqual([
      ['/ada', 'Overview', undefined],
      ['/ada?tab=issues', 'Issues ', '3'],
      ['/ada?tab=pulls', 'Pull requests ', '1'],
      ['/ada?tab=comments', 'Comments ', '30'],
      ['/ada?tab=reviews', 'Reviews ', '2'],
    ])
    expect(html).toContain('<h2>Activity</h2>')
    expect((await rowsOf('/ada')).length).toBe(10)
  })

  test('lists their threads, the newest first', async () => {
    expect(await rowsOf('/ada?tab=issues')).toEqual([
      { to: '/forge/kettle/issues/3', text: 'Loud forge/kettle#3 · Open · opened 2 Jun 2024' },
      { to: '/forge/kettle/issues/1', text: 'Cold forge/kettle#1 · Open · opened 1 May 2024' },
      { to: '/forge/secret/issues/1', text: 'Hidden forge/secret#1 · Open · opened' },
    ])
    expect((await rowsOf('/ada?tab=pulls'))[0]?.text).toContain('Draft forge/kettle#4 · Draft')
    expect((await rowsOf('/bob?tab=pulls'))[0]?.text).toContain('· Merged · opened')
  })

  test('lists comments page by page, each with the title of its thread and a link to itself', async () => {
    const first = await rowsOf('/ada?tab=comments')
    expect(first.length).toBe(25)
    expect(first[0]).toEqual({
      to: '/forge/kettle/issues/1#issuecomment-127',
      text: 'Cold Comment &lt;b&gt;27&lt;/b&gt; forge/kettle#1 · comment of 28 May 2024',
    })
    expect((await rowsOf('/ada?tab=comments&page=2')).length).toBe(5)
    expect(await ask('/ada?tab=comments&page=3')).toMatchObject({ status: 404 })
    expect(htmlOf(await ask('/ada?tab=comments'))).toContain(
      '<link rel="next" href="/ada?tab=comments&amp;page=2">',
    )
  })

  test('lists reviews with their verdicts', async () => {
    expect((await rowsOf('/ada?tab=reviews')).map(({ text }) => text)).toEqual([
      'Boil sooner forge/kettle#2 · approved this on 9 May 2024',
      'Boil sooner Hotter forge/kettle#2 · requested changes on 8 May 2024',
    ])
  })

  test('has no list of another name, and says where there is nothing', async () => {
    expect(await ask('/ada?tab=secrets')).toMatchObject({ status: 404 })
    expect(await ask('/eve?tab=issues')).toMatchObject({ status: 200 })
    expect(htmlOf(await ask('/eve'))).toContain('They wrote no text of the archive.')
  })

  test('is at the login of its record, and found by the end of its url as well', async () => {
    expect(await ask('/other')).toMatchObject({ status: 200 })
    expect(await ask('/renamed')).toMatchObject({ status: 301, location: '/other' })
  })

  test('shows strangers only the repositories of an owner', async () => {
    const html = htmlOf(await strangers.ask('/forge'))
    expect(html).toContain('forge/kettle')
    expect(html).not.toMatch(/secret|tab=|Latest/)
    expect(await strangers.ask('/forge?tab=issues')).toMatchObject({ status: 404 })
    expect(await strangers.ask('/ada')).toMatchObject({ status: 404 })
  })
})

test('The page of a person says why what they wrote could not be found', async () => {
  const written = async () => ({ message: 'too many other questions are being answered' })
  const opened = openPages(pages.paths, { written })
  const html = htmlOf(await opened.render('/ada', new URLSearchParams()))
  opened.close()
  expect(html).toContain('too many other questions are being answered.')
  expect(html).toContain('Ada Kettle')
})
