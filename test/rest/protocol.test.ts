import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/request-log.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'

let server: ArchiveServer
const logged: LogEntry[] = []
beforeAll(async () => {
  server = await serveArchive([], {
    clock: () => new Date('2024-01-31T23:59:59Z'),
    log: (entry) => void logged.push(entry),
  })
})
afterAll(() => server.close())

const ask = (path: string, init?: RequestInit) =>
  server.fetch(new Request(`http://localhost:8730${path}`, init))

describe('An answer', () => {
  test('has every header of the interface, its date from the clock', async () => {
    const { headers } = await ask('/rate_limit')
    const found = Object.fromEntries(headers)
    const id = found['x-github-request-id']
    expect(found).toEqual({
      'cache-control': 'public, max-age=60, s-maxage=60',
      'content-length': expect.stringMatching(/^\d+$/),
      'content-security-policy': "default-src 'none'",
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      date: 'Wed, 31 Jan 2024 23:59:59 GMT',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'referrer-policy': 'no-referrer',
      vary: 'Accept, Authorization, Cookie, X-GitHub-OTP, X-Service-OTP',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'deny',
      'x-github-media-type': 'github.v3; format=json',
      'x-github-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
      'x-ratelimit-resource': 'core',
      'x-ratelimit-used': expect.stringMatching(/^\d+$/),
      'x-service-media-type': 'service.v3; format=json',
      'x-service-request-id': id,
    })
  })

  test('is compact JSON with the length that it announces', async () => {
    const answer = await ask('/')
    const text = await answer.text()
    expect(JSON.stringify(JSON.parse(text))).toBe(text)
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  })

  test('of 204 has neither body nor content type', async () => {
    const answer = await ask('/_ready')
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ])
  })

  test('to HEAD has the headers of GET and no body', async () => {
    const [get, head] = [await ask('/'), await ask('/', { method: 'HEAD' })]
    expect(await head.text()).toBe('')
    for (const name of ['content-length', 'content-type', 'etag']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })
})

describe('Addresses in answers begin with', () => {
  test.each([
    ['/', 'http://localhost:8730/events'],
    ['/api/v3', 'http://localhost:8730/api/v3/events'],
    ['/api/v3/', 'http://localhost:8730/api/v3/events'],
  ])('the address of the request: %s', async (path, url) => {
    expect(await (await ask(path)).json()).toMatchObject({ events_url: url })
  })
})

describe('A conditional request', () => {
  test('with the ETag gets 304 without content, which costs nothing', async () => {
    const first = await ask('/')
    const etag = first.headers.get('etag') ?? ''
    const again = await ask('/', { headers: { 'If-None-Match': `"x", W/${etag}` } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect([...again.headers.keys()].filter((name) => name.startsWith('content-t'))).toEqual([])
    const used = (answer: Response) => answer.headers.get('x-ratelimit-used')
    expect(used(again)).toBe(used(first))
  })

  test('with another ETag gets the answer', async () => {
    expect((await ask('/', { headers: { 'If-None-Match': '"x"' } })).status).toBe(200)
  })
})

describe('Refused:', () => {
  const message = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { message: string }).message,
  ]

  test('an unknown path', async () => {
    expect(await message(await ask('/nothing'))).toEqual([404, 'Not Found'])
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS'])(
    'a method that a path does not have, %s',
    async (method) => {
      const answer = await ask('/rate_limit', { method })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect(await message(answer)).toEqual([
        405,
        'Method Not Allowed: archives are only read, and this address takes GET, HEAD',
      ])
    },
  )

  test('something to write that the server does not have, with the reason', async () => {
    const answer = await ask('/user/starred/forge/kettle', { method: 'PUT' })
    expect(await message(answer)).toEqual([404, 'Not Found: archives are only read'])
  })

  test('a search, with the places to search and its own documentation', async () => {
    const answer = await ask('/search/issues?q=steam')
    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        message: 'Not Found: search with marc search, or on the page /search where pages are shown',
        documentation_url: 'https://developer.github.com/v3/search/',
      },
    ])
  })

  test('another host, before anything else', async () => {
    const answer = await server.fetch(new Request('http://rebound.example/nothing'))
    expect(answer.status).toBe(421)
  })

  test('wrong credentials', async () => {
    const headers = { Authorization: 'token 0123456789abcdef' }
    const answer = await ask('/', { headers })
    expect(answer.headers.has('www-authenticate')).toBe(false)
    expect(await message(answer)).toEqual([401, 'Bad credentials'])
  })

  test('an Accept without JSON', async () => {
    expect(await message(await ask('/', { headers: { Accept: 'text/html' } }))).toEqual([
      415,
      "Unsupported 'Accept' header: text/html. Must accept 'application/json'.",
    ])
  })

  test('a page of another site that would write', async () => {
    const headers = { Origin: 'https://evil.example' }
    expect((await ask('/rate_limit', { method: 'POST', headers })).status).toBe(403)
  })
})

test('Each request is logged, the secrets of its address left out', async () => {
  await ask('/_archives/x.tar.gz?expires=1&signature=abc&x=1')
  expect(logged.at(-1)).toEqual({
    time: new Date('2024-01-31T23:59:59Z'),
    method: 'GET',
    status: 403,
    path: expect.stringContaining('/_archives/x.tar.gz?expires=1&signature=…&x=1'),
    bytes: expect.any(Number),
    milliseconds: expect.any(Number),
    login: undefined,
    requestId: expect.any(String),
    fault: undefined,
  })
})
