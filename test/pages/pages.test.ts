import { beforeAll, describe, expect, test } from 'vitest'
import { localPathOf } from '../../src/pages/link.ts'
import { findPage, openPages } from '../../src/pages/open-pages.ts'
import type { Search } from '../../src/pages/page.ts'
import { PAGES } from '../../src/pages/pages.ts'
import type { FoundText } from '../../src/search/snippets.ts'
import '../../src/pages/assets.ts'
import '../../src/pages/kinds/thread.ts'
import '../../src/pages/parts/layout.ts'
import { ADDRESSES, COLORFUL } from '../browser/addresses.ts'
import { THOROUGH } from '../support/thorough.ts'
import { addressesOf, htmlOf, sharePages } from '../support/web.ts'

const TEA = '/mona-lindqvist/tea-timer'
const samples = sharePages()
const { ask } = samples

/** Pages of one sample that can be reached from the first one, of each kind so many; of filters, one at a time. */
async function walk(ofOneKind: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const counts = new Map<string, number>()
  const queue = new Set(['/', '/harbour-lights/tidewatch/wiki', '/orgs/harbour-lights/teams'])
  for (const address of queue) {
    const kind = findPage(address.split('?')[0] ?? '')?.page.path ?? ''
    const count = (counts.get(kind) ?? 0) + 1
    if (count > ofOneKind) continue
    counts.set(kind, count)
    const page = await ask(address)
    expect(page.status, address).toBeLessThan(400)
    if ('location' in page) queue.add(page.location)
    if (!('html' in page)) {
      found.set(address, '')
      continue
    }
    found.set(address, page.html)
    for (const link of addressesOf(page.html)) {
      const [path = ''] = link.split('#')
      const isWiki = path.startsWith('/harbour-lights/tidewatch/wiki')
      const isOther = path.startsWith('/harbour-lights') && !isWiki
      // Of the files at commits, one commit is enough.
      const isOld = /\/(?:tree|blob|raw|commits)\/(?!4831b6e)[0-9a-f]{40}/.test(path)
      // Of the tables, those of one database are.
      const isSame = /^\/-\/schema\/.*\?db=/.test(path)
      const isOurs = path.startsWith('/') && !isOther && !isOld && !isSame
      if (isOurs && path.split('&').length < 2) queue.add(path)
    }
  }
  return found
}

// That every link of the sample is alive is shown by its site every day.
describe.each([
  ['five pages of each kind are walked to', 5, {}],
  ['all pages are walked to', Number.POSITIVE_INFINITY, THOROUGH],
] as const)('From the first page, %s:', (_, ofOneKind, options) => {
  let found: Map<string, string>
  beforeAll(async () => {
    found = await walk(ofOneKind)
  })

  test('every page of ours can be reached, and every link inward is alive', options, () => {
    expect(found.size).toBeGreaterThan(60)
    const patterns = new Set(
      [...found.keys()].map((path) => findPage(path.split('?')[0] ?? '')?.page.path),
    )
    const unreached = PAGES.filter(({ path }) => !patterns.has(path)).map(({ path }) => path)
    expect(unreached).toEqual([
      // Only sites have archives to download.
      '/-/download/:name',
      '/orgs/:login/people',
      // Addresses of the host that redirect.
      '/user-attachments/assets/:id',
      '/user-attachments/files/:id/:name',
      '/:owner/:repo/pull/:number/commits/:oid',
      // No sample has one.
      '/:owner/:repo/projects',
      '/:owner/:repo/projects/:number',
      // It has one branch.
      '/:owner/:repo/compare/:rest+',
    ])
  })

  test(
    'no page loads anything from elsewhere, and none has a script or style inside',
    options,
    () => {
      for (const [address, html] of found) {
        const loaded = [
          ...html.matchAll(
            /<(?:script|link|img|form|video|audio|source)[^>]*? (?:src|href|action)="([^"]*)"/g,
          ),
        ]
        for (const [, from = ''] of loaded) expect(from, address).toMatch(/^\/(?!\/)/)
        expect(html, address).not.toMatch(/<style| style=|<script(?! src="\/-\/assets)| on[a-z]+=/)
      }
    },
  )

  test('ids on a page are unique, and every fragment leads to one', options, () => {
    for (const [address, html] of found) {
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
      expect(ids.length, address).toBe(new Set(ids).size)
      for (const link of addressesOf(html)) {
        if (link.startsWith('#')) expect(ids, `${address}${link}`).toContain(link.slice(1))
      }
      if (html !== '') expect([...html.matchAll(/<h1[ >]/g)], address).toHaveLength(1)
    }
  })
})

test('A page is the same whichever pages were opened before it', THOROUGH, async () => {
  const addresses = [...COLORFUL, ...ADDRESSES, '/-/sql', `${TEA}/pulse`, `${TEA}/-/labels.css`]
  const render = async (order: readonly string[]) => {
    const pages = openPages(samples.paths)
    const answers = new Map<string, unknown>()
    try {
      for (const address of order) {
        const [path = '', query = ''] = address.split('?')
        const page = await pages.render(path, new URLSearchParams(query))
        // The page of an answer says how long it took.
        answers.set(address, htmlOf(page).replace(/ in [\d,.]+ ms/, '') || page)
      }
    } finally {
      pages.close()
    }
    return answers
  }
  const inOrder = await render(addresses)
  const inReverse = await render(addresses.toReversed())
  for (const address of addresses) {
    expect(inReverse.get(address), address).toEqual(inOrder.get(address))
  }
})

test(
  'The url of every record that people see leads to its page and its place there',
  THOROUGH,
  async () => {
    const { library } = samples.pages
    const pages = new Map<string, string>()
    const kinds = [
      'repositories',
      'issues',
      'pull_requests',
      'discussions',
      'milestones',
      'releases',
      'issue_comments',
      'commit_comments',
      'protected_branches',
    ]
    const parts = [
      'issue_events',
      'pull_request_reviews',
      'pull_request_review_comments',
      'users',
      'organizations',
    ]
    for (const { database } of library.stores.slice(0, 1)) {
      for (const table of [...kinds, ...parts]) {
        const urls = database.prepare<[], string>(`SELECT url FROM ${table}`).pluck().all()
        for (const url of urls) {
          const path = localPathOf(library, url)
          if (path === undefined) throw new Error(`${url} has no page`)
          const [page = '', anchor] = path.split('#')
          const html = pages.get(page) ?? htmlOf(await ask(page))
          pages.set(page, html)
          expect(html, url).not.toBe('')
          if (anchor !== undefined) expect(html, url).toContain(`id="${anchor}"`)
        }
      }
    }
  },
)

describe('An address', () => {
  test('in other capitals leads to the real one', async () => {
    expect(await ask('/Mona-Lindqvist/TEA-timer/issues/1')).toEqual({
      status: 301,
      location: `${TEA}/issues/1`,
    })
  })

  test('that Git clones leads to the repository', async () => {
    expect(await ask(`${TEA}.git`)).toEqual({ status: 301, location: TEA })
  })

  test('of an issue that is a pull request leads to the pull request, and the other way', async () => {
    expect(await ask(`${TEA}/issues/5`)).toMatchObject({ location: `${TEA}/pull/5` })
    expect(await ask(`${TEA}/pull/1`)).toMatchObject({ location: `${TEA}/issues/1` })
  })

  test('of an upload leads to its bytes', async () => {
    const found = await ask('/user-attachments/files/18204417/sleep-log.txt')
    expect(found).toMatchObject({
      location: expect.stringMatching(/^\/-\/files\/[0-9a-f]{64}\/sleep-log\.txt$/),
    })
  })

  test.each([
    '/nobody',
    '/nobody/nothing',
    `${TEA}/issues/999`,
    `${TEA}/issues/0x5`,
    `${TEA}/issues?page=9`,
    `${TEA}/labels/none`,
    `${TEA}/milestone/9`,
    `${TEA}/releases/tag/none`,
    `${TEA}/discussions?category=none`,
    '/-/raw?url=https://github.com/none',
    '/-/files/00/x',
    '/..%2f..%2fetc/passwd',
    '/a/./b',
    '/%00',
    '/%ff',
    '//evil.example',
  ])('with nothing behind it, %s, is not found', async (address) => {
    expect((await ask(address)).status).toBe(404)
  })
})

describe('The page of a pull request', () => {
  test('shows who merged what, reviews with their verdicts, threads with their lines, and suggestions', async () => {
    const html = htmlOf(await ask(`${TEA}/pull/5`))
    const text = html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
    expect(text).toContain(
      'Merged mona-lindqvist merged ines-okafor/tea-timer:sleepy into main on 11 Nov 2024',
    )
    expect(text).toContain('requested changes')
    expect(text).toContain('approved this')
    expect(text).toContain('src/timer.js:12 Outdated')
    expect(text).toContain('Suggested change')
    expect(text).toContain('From it.tar.gz, record 2 of pull_requests_000001.json')
    expect(html).toContain(`href="${TEA}/issues/4"`)
    expect(html).toContain('<tr class="add marked">')
  })

  test('says merged once, though the host closes as well', async () => {
    const html = htmlOf(await ask(`${TEA}/pull/5`))
    expect(html.match(/merged this/g)).toHaveLength(1)
    expect(html).not.toContain('closed this')
  })
})

test('A picture of the archive is shown with its size, and other files are links', async () => {
  const html = htmlOf(await ask(`${TEA}/issues/3`))
  expect(html).toMatch(/<img[^>]* src="\/-\/files\/[0-9a-f]{64}\/two-rings\.png"/)
  expect(html).toMatch(/<img[^>]* width="\d+"/)
  expect(htmlOf(await ask(`${TEA}/issues/4`))).toContain('/sleep-log.txt"')
})

test('A list shows open threads first, closed ones on request, and those of a label', async () => {
  const titles = async (address: string) =>
    [
      ...htmlOf(await ask(address)).matchAll(
        /<h2><span class="hidden">(\w+): <\/span><a href="[^"]*\/(\d+)"/g,
      ),
    ].map(([, state, number]) => `${state} ${number}`)
  expect(await titles(`${TEA}/issues`)).toEqual(['Open 10', 'Open 7', 'Open 3', 'Open 1'])
  expect(await titles(`${TEA}/issues?sort=created-asc`)).toEqual([
    'Open 1',
    'Open 3',
    'Open 7',
    'Open 10',
  ])
  expect(await titles(`${TEA}/issues?state=closed`)).toEqual(['Closed 4'])
  expect(await titles(`${TEA}/pulls?state=closed`)).toEqual(['Closed 8', 'Merged 5', 'Merged 2'])
  expect(await titles(`${TEA}/issues?label=bug`)).toEqual(['Open 3'])
  expect(await titles(`${TEA}/issues?author=TEO-park`)).toEqual(['Open 7', 'Open 1'])
  expect(await titles(`${TEA}/issues?assignee=teo-park`)).toEqual(['Open 3'])
  expect(await titles(`${TEA}/issues?assignee=nobody`)).toEqual([])
  expect(await titles(`${TEA}/milestone/1`)).toEqual(['Closed 4'])
})

test.each([
  ['is:issue is:open label:bug', `${TEA}/issues?label=bug`],
  ['is:pr is:closed sort:updated-desc', `${TEA}/pulls?state=closed&sort=updated-desc`],
  [
    'author:"teo-park" assignee:teo-park sort:created-asc',
    `${TEA}/issues?author=teo-park&assignee=teo-park&sort=created-asc`,
  ],
  ['milestone:1.1', `${TEA}/issues?milestone=1`],
  ['', `${TEA}/issues`],
  ['label:bug label:tea', `${TEA}/issues?label=bug&label=tea`],
  ['"cold tea" is:closed', `${TEA}/issues?state=closed&words=%22cold+tea%22`],
  ['is:merged', '/search?q=is%3Amerged&repo=mona-lindqvist%2Ftea-timer'],
  ['type:pr -word', `${TEA}/pulls?words=-word`],
])('A link to a list with the query %j leads to what it names', async (query, location) => {
  const answer = await ask(`${TEA}/issues?q=${encodeURIComponent(query)}&page=2`)
  expect(answer).toMatchObject({ status: 302, location })
})

test('A list shows what it is narrowed to, each part with a link without it', async () => {
  const html = htmlOf(
    await ask(`${TEA}/issues?label=bug&author=teo-park&sort=created-asc&state=closed`),
  )
  const [, chips = ''] = /<div class="chips"(.*?)<\/div>/s.exec(html) ?? []
  const links = [...chips.matchAll(/<a href="[^"?]*\??([^"]*)">(.*?)<\/a>/gs)].map(
    ([, query, text = '']) => [query, text.replace(/<[^>]*>/g, '').trim()],
  )
  expect(links).toEqual([
    ['label=bug&amp;sort=created-asc&amp;state=closed', 'Remove: Author: TP teo-park'],
    ['author=teo-park&amp;sort=created-asc&amp;state=closed', 'Remove: Label: bug'],
    ['label=bug&amp;author=teo-park&amp;state=closed', 'Remove: Sort: Oldest'],
    ['state=closed', 'Clear all'],
  ])
  expect(htmlOf(await ask(`${TEA}/issues`))).not.toContain('class="chips"')
})

test.each(['is:nonsense', 'sort:size', 'author:a author:b', '-label:bug'])(
  'A list says why it cannot be narrowed to %s',
  async (query) => {
    const html = htmlOf(await ask(`${TEA}/issues?q=${encodeURIComponent(query)}`))
    expect(html).toContain('This search is invalid')
    expect(html).toContain(`name="q" value="${query} "`)
  },
)

test('A list is sorted by comments, and narrowed to all of several labels', async () => {
  const numbers = async (address: string) =>
    [...htmlOf(await ask(address)).matchAll(/<a href="[^"]*\/(\d+)"><bdi dir/g)].map(
      ([, one]) => one,
    )
  expect(await numbers(`${TEA}/issues?sort=comments-desc`)).toEqual(['7', '3', '1', '10'])
  expect(await numbers(`${TEA}/issues?sort=comments-asc`)).toEqual(['10', '1', '3', '7'])
  expect(await numbers(`${TEA}/issues?label=bug`)).toEqual(['3'])
  expect(await numbers(`${TEA}/issues?label=bug&label=enhancement`)).toEqual([])
})

test('The words of a list are looked for in the texts of its threads', async () => {
  const searched: unknown[] = []
  const search: Search = async (_, words, options) => {
    searched.push([words, options])
    return [
      { kind: 'comment', number: 3 },
      { kind: 'issue', number: 7 },
      { kind: 'release', number: null },
    ] as unknown as FoundText[]
  }
  const pages = openPages(samples.paths, { search, searchIndex: async () => ({ index: 'x' }) })
  const query = new URLSearchParams('words=bell+twice&sort=created-asc&author=teo-park')
  const html = htmlOf(await pages.render(`${TEA}/issues`, query))
  pages.close()
  const [[words, options] = []] = searched as [string, object][]
  expect(words).toBe('bell twice')
  expect(options).toMatchObject({ repository: 'mona-lindqvist/tea-timer', index: 'x' })
  const rows = [...html.matchAll(/<a href="[^"]*\/(\d+)"><bdi dir/g)].map(([, number]) => number)
  expect(rows).toEqual(['7'])
  expect(html).toContain('value="is:open author:teo-park sort:created-asc bell twice "')
})

test('A menu takes a name that it does not list, and keeps the other filters', async () => {
  const html = htmlOf(await ask(`${TEA}/issues?label=bug&author=teo-park&page=1`))
  const [, form = ''] = /<summary>Author<\/summary><div>(<form.*?<\/form>)/s.exec(html) ?? []
  const names = [...form.matchAll(/ name="([^"]*)"(?: value="([^"]*)")?/g)].map((one) =>
    one.slice(1),
  )
  expect(names).toEqual([
    ['label', 'bug'],
    ['author', undefined],
  ])
})

test('A list offers who opened most threads, and who is assigned to most', async () => {
  const html = htmlOf(await ask(`${TEA}/issues?author=rui-valdez`))
  const menus = [...html.matchAll(/<summary>(\w+)<\/summary>.*?<ul>(.*?)<\/ul>/gs)]
  const entries = Object.fromEntries(
    menus.map(([, name, list = '']) => [
      name,
      [...list.matchAll(/<a href="[^"]*"/g)].map(([link]) => link.slice(link.indexOf('?'), -1)),
    ]),
  )
  expect(entries).toMatchObject({
    Author: ['?author=teo-park', '?author=ines-okafor', '?author=rui-valdez'],
    Assignee: ['?author=rui-valdez&amp;assignee=teo-park'],
  })
})
