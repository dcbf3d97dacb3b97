import { describe, expect, test } from 'vitest'
import '../../../src/pages/kinds/data/table.ts'
import { comment, HOST, issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { everyDay } from '../../support/thorough.ts'
import { addressesOf, htmlOf, sharePages } from '../../support/web.ts'

const { ask } = sharePages([
  {
    users: [user('ada'), user('bob')],
    repositories: [repository(KETTLE)],
    issues: [issue(`${KETTLE}/issues/1`, { title: 'Long' })],
    issue_comments: Array.from({ length: 250 }, (_, i) =>
      comment(`${KETTLE}/issues/1`, 100 + i, {
        user: `${HOST}/${i % 5 === 0 ? 'bob' : 'ada'}`,
        body: `Comment ${String((i * 7) % 250).padStart(3, '0')}`,
      }),
    ),
  },
])
const TABLE = '/-/schema/issue_comments'

/** The bodies that a page shows, and where its next page is. */
async function pageOf(address: string) {
  const html = htmlOf(await ask(address))
  return {
    html,
    bodies: [
      ...html.matchAll(/<td data-column="body"><span dir="auto">(Comment \d+)<\/span>/g),
    ].map(([, body]) => body),
    next: /<a rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&'),
  }
}

describe('The page of a table', () => {
  everyDay(1)([
    ['', undefined],
    ['?sort=body:asc', 1],
    ['?sort=body:desc', -1],
  ])('shows a hundred rows at a time: %s', async (query, side) => {
    const bodies: (string | undefined)[] = []
    const sizes: number[] = []
    for (let next: string | undefined = TABLE + query; next !== undefined; ) {
      const page = await pageOf(next)
      bodies.push(...page.bodies)
      sizes.push(page.bodies.length)
      next = page.next
    }
    expect(sizes).toEqual([100, 100, 50])
    expect(new Set(bodies).size).toBe(250)
    if (side !== undefined) {
      const sorted = [...bodies].sort()
      expect(bodies).toEqual(side > 0 ? sorted : sorted.reverse())
    }
  })

  test('sorts by a heading, and the other way when it is clicked again', async () => {
    const { html } = await pageOf(`${TABLE}?sort=body:asc&is.user_login=bob`)
    expect(html).toContain('aria-sort="ascending"')
    expect(addressesOf(html)).toContain(`${TABLE}?sort=body%3Adesc&is.user_login=bob`)
    expect(addressesOf(html)).toContain(`${TABLE}?sort=body%3Aasc`)
  })

  test('filters by column, and shows the filter with a link without it', async () => {
    const { html, bodies } = await pageOf(`${TABLE}?is.user_login=%3Dbob`)
    expect(bodies.length).toBe(50)
    expect(html).toContain('<bdi>user_login = bob</bdi>')
    expect(html).toContain('name="is.user_login" value="=bob"')
  })

  test('counts the values of columns that have few, each a filter', async () => {
    const { html } = await pageOf(`${TABLE}?facets=1`)
    const logins =
      /<h3><code><bdi>user_login<\/bdi><\/code><\/h3>(.*?)<\/ul>/s.exec(html)?.[1] ?? ''
    expect(
      logins
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ).toBe('ada 200 bob 50')
    expect(addressesOf(logins)).toEqual([
      `${TABLE}?facets=1&is.user_login=%3Dada`,
      `${TABLE}?facets=1&is.user_login=%3Dbob`,
    ])
  })

  test('shows a view in pages, too', async () => {
    const first = await pageOf('/-/schema/timeline')
    expect(first.next).toBe('/-/schema/timeline?after=100')
    expect((await ask('/-/schema/timeline?after=200')).status).toBe(200)
  })

  everyDay(2)([
    '?sort=none:asc',
    '?sort=%22;--',
    '?is.none=x',
    '?after=x',
    '?after=99999999999999999999',
    '?is.body=%27',
  ])('is there for any address: %s', async (query) => {
    expect((await ask(TABLE + query)).status).toBe(200)
  })
})
