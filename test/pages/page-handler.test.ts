import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPageHandler } from '../../src/pages/page-handler.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { loaded } from '../support/load.ts'
import { filesOf, ISSUE, issue, KETTLE, repository, SECRET, user } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'
import { everyDay } from '../support/thorough.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const world = {
  users: [user('forge'), user('ada')],
  repositories: [
    repository(KETTLE, {
      labels: ['x', 'a\\b', 'a\nb', 'a/b', 'a\u007fb'].map((name) => ({
        url: `${KETTLE}/labels/${encodeURIComponent(name)}`,
        name,
        color: 'ff0000',
      })),
    }),
    repository(SECRET, { private: true }),
    repository('https://forge.example/orgs/repos'),
    repository('https://forge.example/meta/kettle'),
  ],
  issues: [
    issue(ISSUE, {
      title: '<script>alert(1)</script>',
      body: '<img src=x onerror=alert(1)><b>It</b> boils',
    }),
    issue(`${SECRET}/issues/1`, { title: 'Hush' }),
  ],
}

const { paths } = shareDatabases(world)
let all: ArchiveServer
let shared: ArchiveServer
let without: ArchiveServer
beforeAll(async () => {
  const state = ':memory:'
  // Else the first search would start a process that makes one.
  for (const path of paths) await updateIndexAt(path)
  all = await serveArchive(paths, { state, pages: 'all' })
  shared = await serveArchive(paths, { state, pages: 'public' })
  without = await serveArchive(paths, { state })
})
afterAll(async () => {
  for (const server of [all, shared, without]) await server.close()
})

const ask = (
  path: string,
  headers: Record<string, string> = { accept: HTML },
  server = all,
  method = 'GET',
) => server.fetch(new Request(`http://localhost${path}`, { method, headers }))

describe('A request is for a page or for the interface:', () => {
  test.each([
    ['/', HTML, 'html'],
    ['/', 'application/json', 'json'],
    ['/', '*/*', 'json'],
    ['/', 'application/json, text/html;q=0.9', 'json'],
    ['/forge/kettle', '*/*', 'html'],
    ['/forge/kettle', 'application/json', 'json'],
    ['/forge/kettle/-/labels.css', 'text/css,*/*;q=0.1', 'css'],
    // No page is there.
    ['/repos/forge/kettle', HTML, 'json'],
    ['/users/ada/followers', HTML, 'json'],
    ['/repos/forge/kettle/nothing', HTML, 'json'],
    ['/forge/none', '*/*', 'html'],
    ['/search/issues', '*/*', 'json'],
    ['/gists/public', '*/*', 'json'],
    ['/emojis', '*/*', 'json'],
    ['/emojis', HTML, 'json'],
    ['/licenses/mit', HTML, 'json'],
    ['/octocat', '*/*', 'html'],
    ['/repos/forge/kettle', 'application/vnd.github+json', 'json'],
    ['/repos/forge/kettle/nothing', '*/*', 'json'],
    ['/api/v3/repos/forge/kettle', HTML, 'json'],
    ['/_ready', HTML, null],
  ])('%s with %s is answered with %s', async (path, accept, type) => {
    const response = await ask(path, { accept })
    const found = response.headers.get('content-type')
    if (type === null) expect(found).toBeNull()
    else expect(found).toContain(`/${type}`)
  })

  test('an unknown address is for the interface if it comes with credentials, unless HTML is wanted', async () => {
    const typeOf = async (path: string, headers: Record<string, string>) => {
      const { status, headers: found } = await ask(path, headers)
      return [status, found.get('content-type')?.replace(/;.*/, '')]
    }
    const authorization = 'token of-nobody'
    for (const path of ['/forge/none', '/nothing', '/forge/kettle/none']) {
      for (const accept of [{}, { accept: '*/*' }]) {
        const json = [404, 'application/json']
        expect(await typeOf(path, { authorization, ...accept })).toEqual(json)
        expect(await typeOf(path, accept)).toEqual([404, 'text/html'])
      }
      expect(await typeOf(path, { authorization, accept: HTML })).toEqual([404, 'text/html'])
    }
    expect(await typeOf('/forge/kettle', { authorization })).toEqual([200, 'text/html'])
    expect(await typeOf('/forge/kettle/raw/main/none', { authorization })).toEqual([
      404,
      'text/html',
    ])
  })

  test('a login that is a word of the interface has its pages', async () => {
    const { status, headers } = await ask('/meta/kettle')
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('html')])
  })

  test('a POST never', async () => {
    const response = await ask('/forge/kettle', { accept: HTML }, all, 'POST')
    expect(response.headers.get('content-type')).toContain('json')
  })

  test('without pages always for the interface', async () => {
    const response = await ask('/forge/kettle', { accept: HTML }, without)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('json')
  })
})

describe('A page', () => {
  test('lets nothing in from elsewhere, and is not framed, sniffed or shared', async () => {
    const { headers } = await ask('/forge/kettle/issues/1')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept',
    })
  })

  test('shows hostile texts as text', async () => {
    const html = await (await ask('/forge/kettle/issues/1')).text()
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toMatch(/<script>|onerror/)
    expect(html).toContain('<b>It</b> boils')
  })

  test('that was seen before is not sent again', async () => {
    const etag = (await ask('/forge/kettle')).headers.get('etag') ?? ''
    const again = await ask('/forge/kettle', { accept: HTML, 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('is not for another name of this machine', async () => {
    const request = new Request('http://localhost/', {
      headers: { accept: HTML, host: 'evil.example' },
    })
    expect((await all.fetch(request)).status).toBe(421)
  })
})

describe('Another account of this machine', () => {
  test('sees what a stranger may see', async () => {
    const pages = openPageHandler(paths, 'all')
    const see = async (path: string, isOther: boolean) => {
      const question = { path, query: new URLSearchParams(), headers: new Headers() }
      return (await pages.answer({ ...question, isOfOtherUser: () => isOther })).status
    }
    for (const [isOther, secret] of [
      [false, 200],
      [true, 404],
      [false, 200],
    ] as const) {
      expect(await see('/forge/secret', isOther)).toBe(secret)
      expect(await see('/-/people', isOther)).toBe(secret)
      expect(await see('/forge/kettle', isOther)).toBe(200)
    }
    pages.close()
  })
})

describe('Names with odd characters', () => {
  test.each(['a%5Cb', 'a%0Ab', 'a%2Fb', 'a%7Fb'])('have a page: %s', async (name) => {
    const path = `/forge/kettle/labels/${name}`
    expect((await ask(path)).status).toBe(200)
    expect(await (await ask('/forge/kettle/labels')).text()).toContain(`href="${path}"`)
  })

  // A client normalizes these addresses itself.
  test.each([
    ['%2e%2e', '/forge/kettle'],
    ['', '/forge/kettle/labels'],
  ])('that leave an address with a slash at the end lead to its page: %j', async (name, page) => {
    const { status, headers } = await ask(`/forge/kettle/labels/${name}`)
    expect([status, headers.get('location')]).toEqual([301, page])
  })

  test.each(['a%00b', 'a%zz', '..%2f..', 'none%5C'])(
    'that no thing has do not: %j',
    async (name) => {
      const response = await ask(`/forge/kettle/labels/${name}`)
      expect([404, 400]).toContain(response.status)
    },
  )
})

describe('A stranger', () => {
  everyDay(5)([
    '/-/archives',
    '/-/problems',
    '/-/people',
    `/-/raw?url=${ISSUE}`,
    '/search?q=it',
    '/forge/secret',
    '/forge/secret/issues/1',
    '/ada',
  ])('does not see %s', async (path) => {
    expect((await ask(path)).status).toBe(200)
    expect((await ask(path, { accept: HTML }, shared)).status).toBe(404)
  })

  test('sees public repositories alone', async () => {
    const html = await (await ask('/', { accept: HTML }, shared)).text()
    expect(html).toContain('href="/forge/kettle"')
    expect(html).not.toContain('secret')
    expect((await ask('/forge/kettle/issues/1', { accept: HTML }, shared)).status).toBe(200)
  })
})

test.runIf(existsSync('/proc/self/fd'))(
  'The interface and the pages read a database by one connection',
  async () => {
    const { path } = await loaded(filesOf(world))
    const server = await serveArchive([path], { state: ':memory:', pages: 'all' })
    onTestFinished(() => server.close())
    expect((await ask('/forge/kettle', { accept: HTML }, server)).status).toBe(200)
    expect((await ask('/repos/forge/kettle', {}, server)).status).toBe(200)
    const files = readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        return [readlinkSync(`/proc/self/fd/${name}`)]
      } catch {
        return []
      }
    })
    // The other one is that of the test.
    expect(files.filter((name) => name === path)).toHaveLength(2)
  },
)

test('While another program has a database locked, its pages say so at once', async () => {
  const { path, database } = await loaded(filesOf({ repositories: [repository(KETTLE)] }))
  const server = await serveArchive([path], { state: ':memory:', pages: 'all' })
  onTestFinished(() => server.close())
  database.exec('BEGIN EXCLUSIVE')
  const started = performance.now()
  const locked = await ask('/', { accept: HTML }, server)
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([503, '2'])
  expect(performance.now() - started).toBeLessThan(4000)
  database.exec('ROLLBACK')
  expect((await ask('/', { accept: HTML }, server)).status).toBe(200)
})
