import { beforeAll, describe, expect, it, test } from 'vitest'
import { sha256Of, unpack } from '../../support/build.ts'
import { shareMigrations } from '../../support/share-migrations.ts'

const { send, idle, time, fetch } = shareMigrations()

let address: string
let whole: Buffer

beforeAll(async () => {
  const body = { repositories: ['ada/kettle'] }
  const started = await send('POST', '/user/migrations', { as: 'ada-token', body })
  await idle()
  const { headers } = await send('GET', `${started.body.url}/archive`, { as: 'ada-token' })
  address = headers.get('location') ?? ''
  whole = Buffer.from(await (await fetch(new Request(address))).arrayBuffer())
})

/** Asks for the archive with these headers. */
async function ask(headers: Record<string, string> = {}, url = address, method = 'GET') {
  const response = await fetch(new Request(url, { method, headers }))
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

test('A signed address gives the whole archive without credentials', async () => {
  const { status, headers, bytes } = await ask()
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/x-gzip',
    'content-length': String(whole.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': expect.stringMatching(/^attachment; filename=[0-9a-f-]{36}\.tar\.gz$/),
    etag: `"${sha256Of(bytes)}"`,
    'last-modified': new Date(time.now).toUTCString(),
  })
  expect(headers.has('content-encoding')).toBe(false)
  const { files } = await unpack(bytes)
  expect(JSON.parse(files['repositories_000001.json'] ?? '')).toHaveLength(1)
  expect(JSON.parse(files['issues_000001.json'] ?? '')).toHaveLength(1)
})

test('Credentials are ignored, as clients carry them along', async () => {
  expect((await ask({ Authorization: 'token no-such-token' })).status).toBe(200)
})

test('HEAD has the headers of GET and no body', async () => {
  const { status, headers, bytes } = await ask({}, address, 'HEAD')
  expect([status, headers.get('content-length'), bytes.length]).toEqual([
    200,
    String(whole.length),
    0,
  ])
})

describe('A range', () => {
  const size = () => whole.length

  it.each([
    ['from the start', () => 'bytes=0-9', () => [0, 9]],
    ['from the middle to the end', () => 'bytes=100-', () => [100, size() - 1]],
    ['of the last bytes', () => 'bytes=-7', () => [size() - 7, size() - 1]],
    ['that ends beyond the end', () => `bytes=5-${size() + 100}`, () => [5, size() - 1]],
    ['of more last bytes than there are', () => `bytes=-${size() + 5}`, () => [0, size() - 1]],
    ['of one byte', () => 'bytes=3-3', () => [3, 3]],
  ])('%s is sent alone', async (_, range, place) => {
    const [start = 0, end = 0] = place()
    const { status, headers, bytes } = await ask({ Range: range() })
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${size()}`)
    expect(headers.get('content-length')).toBe(String(end - start + 1))
    expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true)
  })

  it.each([
    'bytes=0-1,5-6',
    'bytes=0-1,',
    'bytes=5-2',
    'bytes=-',
    'bytes=a-b',
    'bytes=1x-2',
    'bytes= 0-1',
    'bytes 0-1',
    'lines=0-1',
    'Bytes=0-1',
    '0-1',
    'bytes=0-1;',
    'bytes=1.5-3',
    'bytes=--1',
    '',
    'bytes=99999999999999999999-',
  ])('%j is ignored', async (range) => {
    const { status, bytes } = await ask({ Range: range })
    expect([status, bytes.length]).toEqual([200, size()])
  })

  it.each([() => `bytes=${size()}-`, () => 'bytes=99999999-', () => 'bytes=-0'])(
    'beyond the end is refused',
    async (range) => {
      const { status, headers, bytes } = await ask({ Range: range() })
      expect(status).toBe(416)
      expect(headers.get('content-range')).toBe(`bytes */${size()}`)
      expect(JSON.parse(bytes.toString())).toHaveProperty('message')
    },
  )

  it('is sent if the caller has the same archive, and else all of it', async () => {
    const etag = `"${sha256Of(whole)}"`
    const modified = new Date(time.now).toUTCString()
    const statusOf = async (condition: string) =>
      (await ask({ Range: 'bytes=1-2', 'If-Range': condition })).status
    expect([await statusOf(etag), await statusOf(modified)]).toEqual([206, 206])
    for (const other of [`W/${etag}`, '"other"', new Date(0).toUTCString(), '*']) {
      expect(await statusOf(other), other).toBe(200)
    }
  })
})

test('A client that has the archive already gets 304', async () => {
  const etag = `"${sha256Of(whole)}"`
  for (const condition of [etag, `"x", W/${etag}`, '*']) {
    const { status, headers, bytes } = await ask({ 'If-None-Match': condition })
    expect([status, headers.get('etag'), bytes.length]).toEqual([304, etag, 0])
    expect(headers.has('content-length')).toBe(false)
  }
  expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200)
})

describe('An address is refused', () => {
  it.each<[string, RegExp, string]>([
    ['without its query', /\?.*/, ''],
    ['for another archive', /_archives\/./, '_archives/g'],
    ['with another time', /expires=\d+/, 'expires=99999999999'],
    ['with a short signature', /signature=.*/, 'signature=ab'],
    ['with two signatures', /$/, '&signature=ab'],
    ['whose path leads elsewhere', /_archives\/[^?]*/, '_archives/%2e%2e%2fstate.tar.gz'],
  ])('%s', async (_, part, other) => {
    const { status, bytes } = await ask({}, address.replace(part, other))
    expect([403, 404]).toContain(status)
    expect(JSON.parse(bytes.toString())).toEqual({
      message: expect.any(String),
      documentation_url: expect.any(String),
    })
  })

  it('when its time is over', async () => {
    time.now += 299_000
    expect((await ask()).status).toBe(200)
    time.now += 1000
    expect((await ask()).status).toBe(403)
    time.now -= 300_000
  })
})

test('A download that has begun goes on when the archive is deleted', async () => {
  const response = await fetch(new Request(address))
  const { body } = await send('GET', '/user/migrations', { as: 'ada-token' })
  const [{ url }] = body as unknown as [{ url: string }]
  expect((await send('DELETE', `${url}/archive`, { as: 'ada-token' })).status).toBe(204)
  expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true)
  expect((await ask()).status).toBe(404)
})
