import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPages } from '../../src/pages/open-pages.ts'
import { siteAddressOf } from '../../src/pages/site/site-address.ts'
import { writeSite } from '../../src/pages/site/write-site.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, loaded, recordFile } from '../support/load.ts'
import { loadOnce } from '../support/load-once.ts'
import {
  at,
  event,
  HOST,
  ISSUE,
  issue,
  KETTLE,
  PULL,
  pullRequest,
  repository,
  review,
  SHA,
  user,
} from '../support/rest-world.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import { addressesOf, htmlOf, sharePages } from '../support/web.ts'

const COMMENTS = 95
const comment = (number: number) => ({
  type: 'issue_comment',
  url: `${KETTLE}/issues/1#issuecomment-${number}`,
  issue: `${KETTLE}/issues/1`,
  user: 'https://forge.example/ada',
  body: `Word ${number}`,
  formatter: 'markdown',
  reactions: [],
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

  test('leave no room in a list for labels that they have not', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues'))
    expect(html).toContain('<li class="row-thread">')
    expect(html).not.toContain('<span class="labels">')
  })

  const strangers = sharePages([world], 'public')
  test('are not for strangers: nothing says that it is public', async () => {
    expect((await strangers.ask('/forge/kettle/issues/1')).status).toBe(404)
  })
})

describe('What records name and nothing else tells of', () => {
  const labels = ['bug', 'long%20gone'].map((name) => `${KETTLE}/labels/${name}`)
  const bug = { url: labels[0], name: 'bug', color: 'ff0000', description: null }
  const world = {
    users: [user('ada'), user('bob')],
    repositories: [repository(KETTLE, { labels: [bug] })],
    issues: [issue(ISSUE, { assignees: [`${HOST}/bob`, `${HOST}/carol`], labels })],
  }
  const { ask } = sharePages([world])
  const strangers = sharePages([world], 'public')
  const deadLinks = async (ask: typeof strangers.ask, from: string) => {
    const links = addressesOf(htmlOf(await ask(from))).filter((link) => link.startsWith('/'))
    const answers = await Promise.all(links.map(ask))
    return links.filter((_, i) => answers[i]?.status === 404)
  }

  test.each(['issues', 'issues/1'])('has no dead link on the page %s', async (page) => {
    const html = htmlOf(await ask(`/forge/kettle/${page}`))
    expect(html).toContain('href="/forge/kettle/labels/long%20gone"')
    expect(html).toContain('href="/ada"')
    expect(await deadLinks(ask, `/forge/kettle/${page}`)).toEqual([])
  })

  test('is a name for strangers, who see no pages of people', async () => {
    const html = htmlOf(await strangers.ask('/forge/kettle/issues/1'))
    expect(html).toMatch(/<a class="person"><bdi>ada<\/bdi>/)
    expect(await deadLinks(strangers.ask, '/forge/kettle/issues/1')).toEqual([])
  })

  test('has a page if it is a label of threads', async () => {
    const html = htmlOf(await ask('/forge/kettle/labels/long%20gone'))
    expect(html).toContain('href="/forge/kettle/issues/1"')
    expect(await ask('/forge/kettle/labels/never')).toMatchObject({ status: 404 })
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

describe('Events in a row', () => {
  const url = `${KETTLE}/issues/1`
  const kinds = [
    ...Array(4).fill('pinned'),
    ...Array(9).fill('locked'),
    'closed',
    'reopened',
    'pinned',
  ]
  const { ask } = sharePages([
    {
      users: [user('ada')],
      repositories: [repository(KETTLE)],
      issues: [issue(url)],
      issue_events: kinds.map((kind: string, i) =>
        event(url, 100 + i, kind, { created_at: `2024-05-06T10:${10 + i}:00Z` }),
      ),
    },
  ])

  test('are folded in their middle if they are many, but for those that close or reopen', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/1'))
    const folded = /<details><summary>([^<]*)<\/summary>[\s\S]*?<\/details>/.exec(html)
    expect(folded?.[1]).toBe('10 more events')
    const idsOf = (text = '') =>
      [...text.matchAll(/<li class="event" id="event-(\d+)"/g)].map(([, id]) => Number(id))
    expect(idsOf(folded?.[0])).toEqual([102, 103, 104, 105, 106, 107, 108, 109, 110, 111])
    expect(idsOf(html.replace(folded?.[0] ?? '', ''))).toEqual([100, 101, 112, 113, 114, 115])
  })
})

describe('Records with thousands of parts', () => {
  const MANY = 3_000
  const many = <T>(make: (number: number) => T): T[] =>
    Array.from({ length: MANY }, (_, i) => make(i))
  const people = many((i) => `${HOST}/p${i}`)
  const members = people.map((each) => ({ user: each, role: 'direct_member', state: 'active' }))
  const labels = many((i) => `${KETTLE}/labels/l${i}`)
  const team = `${HOST}/orgs/forge/teams/cooks`
  const line = (i: number) => ({
    type: 'pull_request_review_comment',
    url: `${PULL}/files#r${i}`,
    pull_request: PULL,
    pull_request_review: `${PULL}/files#pullrequestreview-31`,
    user: `${HOST}/ada`,
    pull_request_review_thread: null,
    body: 'Here',
    formatter: 'markdown',
    state: 1,
    diff_hunk: `@@ -1 +1 @@${'\n+x'.repeat(MANY)}`,
    path: 'a',
    position: 1,
    reactions: [],
    original_position: 1,
    commit_id: SHA,
    original_commit_id: SHA,
    created_at: at('04:00:01'),
    in_reply_to: i === 0 ? null : `${PULL}/files#r0`,
  })
  const { ask } = sharePages([
    {
      organizations: [{ type: 'organization', url: `${HOST}/forge`, login: 'forge', members }],
      teams: [
        {
          type: 'team',
          url: team,
          organization: `${HOST}/forge`,
          name: 'Cooks',
          members,
          permissions: many((i) => ({ repository: `${HOST}/forge/r${i}`, access: 'push' })),
        },
      ],
      repositories: [
        repository(KETTLE, {
          labels: labels.map((url, i) => ({ url, name: `l${i}`, color: 'ff0000' })),
          repository_topics: many((i) => ({ topic_name: `topic${i}`, state: 'created' })),
        }),
      ],
      issues: [issue(ISSUE, { labels, assignees: people })],
      pull_requests: [
        pullRequest(PULL, { review_requests: people.map((reviewer) => ({ reviewer })) }),
      ],
      pull_request_reviews: [review(31)],
      pull_request_review_comments: many(line).slice(0, 300),
      releases: [
        {
          type: 'release',
          url: `${KETTLE}/releases/tag/v1`,
          repository: KETTLE,
          body: '',
          tag_name: 'v1',
          name: 'One',
          state: 'published',
          user: `${HOST}/ada`,
          release_assets: many((i) => ({
            url: `${HOST}/assets/${i}`,
            asset_name: `kettle${i}.zip`,
          })),
        },
      ],
      projects: [
        {
          type: 'project',
          url: `${KETTLE}/projects/1`,
          creator: `${HOST}/ada`,
          name: 'Board',
          columns: many((i) => ({ name: `Column ${i}`, cards: [{ note: 'x' }] })),
        },
      ],
      protected_branches: [
        {
          type: 'protected_branch',
          url: `${KETTLE}/protected_branches/1`,
          name: 'main',
          repository_url: KETTLE,
          required_status_checks: people,
        },
      ],
    },
  ])

  everyDay(1)([
    '/forge/kettle/issues/1',
    '/forge/kettle/issues',
    '/forge/kettle',
    '/forge/kettle/pull/2',
    '/forge/kettle/releases',
    '/forge/kettle/projects/1',
    '/forge',
    '/orgs/forge/teams/cooks',
  ])('have a page that ends, and says how many it leaves out: %s', async (address) => {
    const html = htmlOf(await ask(address))
    expect(html).toMatch(/and [\d,]+ more/)
    expect(html.length).toBeLessThan(250_000)
  })

  test('have their labels on several pages', async () => {
    const html = htmlOf(await ask('/forge/kettle/labels?page=6'))
    expect(html).toContain('3,000 labels')
    expect(html.match(/class="row-label"/g)).toHaveLength(500)
    expect((await ask('/forge/kettle/labels?page=7')).status).toBe(404)
  })
})

test(
  'The page of a record prints its first million characters, and says how much is left',
  THOROUGH,
  async () => {
    const { path } = await loaded({
      ...BARE,
      ...recordFile('issues', issue(ISSUE, { labels: Array(100_000).fill(ISSUE) })),
    })
    const pages = openPages([path])
    const html = htmlOf(await pages.render('/-/raw', new URLSearchParams({ url: ISSUE })))
    pages.close()
    expect(html).toMatch(/… and [\d,]+ more lines: <code>marc cat<\/code> prints them/)
    expect(html.length).toBeLessThan(4_000_000)
  },
)

describe('Texts of megabytes', () => {
  const body = 'tea <b>pot</b> '.repeat(150_000)
  const { ask } = sharePages([
    {
      repositories: [repository(KETTLE)],
      issues: [issue(`${KETTLE}/issues/1`, { body, title: 'T'.repeat(100_000) })],
    },
  ])

  everyDay(1)(['/forge/kettle/issues/1', '/forge/kettle/issues', `/-/raw?url=${KETTLE}/issues/1`])(
    'make no page of megabytes: %s',
    async (address) => {
      const html = htmlOf(await ask(address))
      expect(html.length).toBeLessThan(900_000)
      if (address !== '/forge/kettle/issues') expect(html).toContain('<code>marc cat</code> prints')
    },
  )
})

describe('Two thousand comments', () => {
  const { ask } = sharePages([
    {
      repositories: [repository(KETTLE)],
      issues: [issue(`${KETTLE}/issues/1`)],
      issue_comments: Array.from({ length: 2000 }, (_, i) => ({
        ...comment(i + 1),
        body: `See ${KETTLE}/issues/1#issuecomment-1721`,
        created_at: new Date(Date.UTC(2024, 4, 6, 3, 0, i)).toISOString().replace('.000', ''),
      })),
    },
  ])

  test('are fifty pages, each as fast as the first, and links lead to the right one', async () => {
    const last = htmlOf(await ask('/forge/kettle/issues/1?page=50'))
    expect(last).toContain('id="issuecomment-2000"')
    expect(last).toContain('href="/forge/kettle/issues/1?page=44#issuecomment-1721"')
    expect(htmlOf(await ask('/forge/kettle/issues/1?page=44'))).toContain('id="issuecomment-1721"')
    expect((await ask('/forge/kettle/issues/1?page=51')).status).toBe(404)
  })
})

describe('Names that are addresses of ours', () => {
  const HOME = 'https://forge.example'
  const names = ['issues', 'index', 'raw', '-', '404', 'con', 'pulls.html', 'search']
  const owners = ['index', '404', 'search', 'forge']
  const paths = [
    ...names.map((name) => `forge/${name}`),
    ...owners.slice(0, 3).map((owner) => `${owner}/x`),
  ]
  const urls = paths.map((path) => `${HOME}/${path}`)
  const samples = sharePages([
    {
      users: owners.map((login) => user(login)),
      repositories: urls.map((url) => repository(url)),
      issues: urls.map((url) => issue(`${url}/issues/1`, { title: `In ${url}` })),
    },
  ])

  test('have their pages', async () => {
    for (const url of urls) {
      const path = url.slice(HOME.length)
      expect(htmlOf(await samples.ask(`${path}/issues/1`)), path).toContain(`In ${url}`)
      expect((await samples.ask(path)).status, path).toBe(200)
    }
    expect(htmlOf(await samples.ask('/'))).toContain('<h1>11 repositories</h1>')
  })

  test('have addresses of their own in a site, on every file system', () => {
    const files = new Set<string>()
    for (const path of [...paths.map((one) => `/${one}`), '/', '/index', '/404', '/search']) {
      const file = siteAddressOf(path)?.file ?? ''
      expect(files, path).not.toContain(file.toLowerCase())
      files.add(file.toLowerCase())
    }
  })

  test('have files of their own in a site', THOROUGH, async () => {
    const folder = join(await folderOf(), 'site')
    await writeSite(samples.paths, folder, { git: false })
    for (const url of urls) {
      const { file = '' } = siteAddressOf(`${url.slice(HOME.length)}/issues/1`) ?? {}
      expect(String(await readFile(join(folder, file))), file).toContain(`In ${url}`)
    }
    expect(String(await readFile(join(folder, 'index.html')))).toContain('11 repositories')
    expect(String(await readFile(join(folder, '404.html')))).toContain('does not exist')
    expect(String(await readFile(join(folder, 'index~person.html')))).toContain('index')
  })
})

describe('The sample', () => {
  const TEA = '/mona-lindqvist/tea-timer'
  const ADDRESSES = [
    '/',
    '/-/problems',
    '/-/archives',
    '/-/attachments',
    TEA,
    `${TEA}/issues`,
    `${TEA}/pulls`,
    `${TEA}/issues/3`,
    `${TEA}/pull/5`,
    `${TEA}/pull/5/files`,
    `${TEA}/pull/5/commits`,
    `${TEA}/releases`,
    `${TEA}/pulse`,
    '/mona-lindqvist',
    '/-/threads',
  ]
  let bytes: Buffer
  beforeAll(async () => {
    bytes = await readFile(new URL('../../samples/hello.tar.gz', import.meta.url))
  })
  const pagesOf = async (archive: Buffer, options: Parameters<typeof loadOnce>[2]) => {
    const path = join(await folderOf(), 'it.db')
    await loadOnce([archive], path, options)
    return openPages([path])
  }
  const see = async (pages: Awaited<ReturnType<typeof pagesOf>>) => {
    const seen = new Map<string, string>()
    for (const address of ADDRESSES) {
      const found = await pages.render(address, new URLSearchParams())
      expect(found.status, address).toBe(200)
      seen.set(address, htmlOf(found))
    }
    pages.close()
    return seen
  }

  test('without files has all pages but those of Git, and names uploads instead', async () => {
    const seen = await see(await pagesOf(bytes, { files: false }))
    expect(seen.get(TEA)).not.toContain('README')
    expect(seen.get(`${TEA}/issues/3`)).not.toContain('<img')
    // Reviews show the lines that they are about.
    expect(seen.get(`${TEA}/pull/5/files`)).toContain('id="r')
  })

  test(
    'that was cut in the middle shows what was salvaged, and says what is lost',
    THOROUGH,
    async () => {
      const half = bytes.subarray(0, Math.floor(bytes.length * 0.8))
      const pages = await pagesOf(half, { salvage: true })
      const [home, problems] = await Promise.all(
        ['/', '/-/problems'].map((path) => pages.render(path, new URLSearchParams())),
      )
      expect(home && htmlOf(home)).toContain('tea-timer')
      expect(problems && htmlOf(problems)).toMatch(/archive-salvaged|truncated|lost/)
      pages.close()
    },
  )
})
