import { beforeEach, describe, expect, it } from 'vitest'
import { createToken } from '../../src/client/authorize.ts'
import type { ClientOptions, Exchange } from '../../src/client/client-options.ts'
import { deleteArchive } from '../../src/client/delete-archive.ts'
import {
  getMigration,
  listMigrationRepositories,
  listMigrations,
  listOwnRepositories,
} from '../../src/client/list-migrations.ts'
import { parseServer } from '../../src/client/server-address.ts'
import { unlockRepositories } from '../../src/client/unlock-repositories.ts'
import { type Host, migration, openHost, type Reply, TOKEN } from '../support/scripted-host.ts'

const GET = 'GET /user/migrations/1'

let host: Host
let notices: string[]

beforeEach(async () => {
  host = await openHost()
  notices = []
})

const client = (more: Partial<ClientOptions> = {}) =>
  host.client({ notice: (text) => void notices.push(text), ...more })
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => ({}),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  )
const get = (more: Partial<ClientOptions> = {}) => faultOf(getMigration(1, client(more)))

describe('The address of a server', () => {
  it.each([
    ['github', 'https://api.github.com'],
    ['https://git.example/api/v3/', 'https://git.example/api/v3'],
    ['http://localhost:8730', 'http://localhost:8730'],
    ['http://[::1]:1', 'http://[::1]:1'],
  ])('%s is %s', (typed, base) => {
    expect(parseServer(typed).base).toBe(base)
  })

  it.each(['git.example', 'ftp://git.example', 'https://a:b@git.example', 'https://a.example/?x'])(
    '%s is none',
    (typed) => {
      expect(() => parseServer(typed)).toThrow('expected github, or an http or https address')
      expect(() => parseServer(typed)).not.toThrow('a:b')
    },
  )

  it.each([
    ['localhost:8730', 'http://localhost:8730'],
    ['git.example/api/v3', 'https://git.example/api/v3'],
    ['github.com', 'github'],
    ['githb.com', 'github'],
    ['gitlab.com', 'https://gitlab.com'],
    ['a:b@git.example', undefined],
    ['server', undefined],
  ])('%s probably means %s', (typed, meant) => {
    expect(() => parseServer(typed)).toThrow(expect.objectContaining({ meant }))
  })

  it('is not plain HTTP on another machine, unless that is accepted', () => {
    expect(() => parseServer('http://git.example')).toThrow('not encrypted')
    expect(parseServer('http://git.example', { insecure: true }).base).toBe('http://git.example')
  })
})

describe('What a server refuses is', () => {
  it.each([
    ['credentials-refused', { status: 401, body: { message: 'Bad credentials' } }],
    ['migration-not-found', { status: 404 }],
    ['preview-refused', { status: 415 }],
    ['request-refused', { status: 403, body: { message: 'no' } }],
    ['rate-limited', { status: 403, headers: { 'Retry-After': '3601' } }],
    ['rate-limited', { status: 429, headers: { 'Retry-After': '3601' } }],
    ['server-failed', { status: 200, body: 'hello' }],
    ['server-failed', { status: 200, body: { ...migration(1), guid: '../../etc' } }],
    ['server-failed', { status: 200, body: { ...migration(1), id: 'one' } }],
    ['otp-required', { status: 401, headers: { 'X-GitHub-OTP': 'required; app' } }],
  ] as [string, Reply][])('%s', async (code, reply) => {
    host.script(GET, reply)
    expect(await get()).toMatchObject({ code })
  })

  it('sso-required, with the address to open', async () => {
    const url = 'https://git.example/orgs/forge/sso?authorization_request=abc'
    for (const name of ['X-GitHub-SSO', 'X-Service-SSO']) {
      host.script(GET, { status: 403, headers: { [name]: `required; url=${url}` } })
      expect(await get()).toMatchObject({
        code: 'sso-required',
        message: expect.stringContaining(url),
      })
    }
  })

  it('repeated without what was sent in secret', async () => {
    host.script(GET, { status: 403, body: { message: `token ${TOKEN} is bad` } })
    expect(await get()).toMatchObject({ message: 'the server refuses this: 403 token … is bad' })
  })
})

it('A fault that may be temporary is tried three times', async () => {
  host.script(GET, { status: 502 }, { status: 500 })
  expect(await get()).toEqual({})
  host.script(GET, { status: 502 }, { status: 500 }, { status: 500 })
  expect(await get()).toMatchObject({ code: 'server-failed' })
})

it('A one-time password is asked for three times at most, and sent in both headers', async () => {
  const wanted: Reply = { status: 401, headers: { 'X-Service-OTP': 'required; SMS' } }
  const asked: string[] = []
  const oneTimePassword = async (delivery: string) => `12345${asked.push(delivery)}`
  host.script(GET, wanted, wanted)
  expect(await get({ oneTimePassword })).toEqual({})
  expect(asked).toEqual(['SMS', 'SMS'])
  expect(host.asked.at(-1)?.headers).toMatchObject({
    'x-github-otp': '123452',
    'x-service-otp': '123452',
  })
  expect(notices).toEqual(['the server refuses the one-time password'])
  host.script(GET, wanted, wanted, wanted, wanted)
  expect(await get({ oneTimePassword })).toMatchObject({
    code: 'credentials-refused',
    message: 'the server refused 3 one-time passwords',
  })
  expect(asked).toHaveLength(5)
})

it('A redirect to another origin gets no credentials', async () => {
  const other = await openHost()
  host.script(GET, { status: 301, headers: { Location: `${other.url}/user/migrations/1` } })
  await get()
  expect(other.asked[0]?.headers.authorization).toBeUndefined()
})

it('A request that changes something is not redirected to another origin', async () => {
  const other = await openHost()
  const location = `${other.url}/user/migrations/1/archive`
  host.script(`DELETE /user/migrations/1/archive`, { status: 307, headers: { Location: location } })
  expect(await faultOf(deleteArchive(1, client()))).toMatchObject({ code: 'server-failed' })
  expect(other.asked).toEqual([])
})

it('Every page of a list is read, and what single sign-on left out is told', async () => {
  const headers = { Link: `<${host.url}/user/migrations?page=2>; rel="next"` }
  const partial = { 'X-GitHub-SSO': 'partial-results; organizations=21, 20' }
  host.script(
    'GET /user/migrations',
    { status: 200, headers: { ...headers, ...partial }, body: [migration(3)] },
    { status: 200, body: [migration(2), migration(1)] },
  )
  const ids: number[] = []
  for await (const { id } of listMigrations(client())) ids.push(id)
  expect(ids).toEqual([3, 2, 1])
  expect(notices).toEqual([
    'the list is incomplete: the token is not authorized for the organizations 21, 20',
  ])
})

it('The next page of a list is not read from another server', async () => {
  const headers = { Link: `<https://else.example/user/migrations?page=2>; rel="next"` }
  host.script('GET /user/migrations', { status: 200, headers, body: [] })
  const reading = async () => {
    for await (const _ of listMigrations(client()));
  }
  expect(await faultOf(reading())).toMatchObject({ code: 'server-failed' })
})

it('The repositories of a migration are those of its list, or of itself on older servers', async () => {
  const list = 'GET /user/migrations/1/repositories'
  host.script(
    list,
    { status: 200, body: [{ full_name: 'ada/cup' }, { full_name: 7 }] },
    { status: 404 },
  )
  expect(await listMigrationRepositories(1, client())).toEqual(['ada/cup'])
  expect(await listMigrationRepositories(1, client())).toEqual(['ada/kettle', 'ada/teapot'])
})

it("One's own repositories are those that one owns and administers", async () => {
  expect(await listOwnRepositories(client())).toEqual(['ada/kettle', 'ada/teapot'])
  expect(await listOwnRepositories(client({ organization: 'Bob' }))).toEqual([])
})

describe('unlockRepositories', () => {
  const lock = (name: string, id = 1) => `DELETE /user/migrations/${id}/repos/${name}/lock`

  it('says of a repository that was not locked that it was not', async () => {
    host.script(lock('teapot'), { status: 404 })
    expect(await unlockRepositories(1, 'all', client())).toEqual([
      { repository: 'ada/kettle', migration: 1, unlocked: true },
      { repository: 'ada/teapot', migration: 1, unlocked: false },
    ])
  })

  it('names the owner where two repositories have one name', async () => {
    const repositories = [{ full_name: 'ada/kettle' }, { full_name: 'bob/kettle' }]
    host.migrations = [migration(1, { repositories })]
    await unlockRepositories(1, ['bob/kettle'], client())
    expect(host.asked.at(-1)?.path).toBe('/user/migrations/1/repos/bob%2Fkettle/lock')
  })

  it('looks for the newest migration that has locked the repository', async () => {
    host.migrations = [
      migration(4),
      migration(3, { lock_repositories: true }),
      migration(2, { lock_repositories: true }),
    ]
    host.script(lock('kettle', 3), { status: 404 })
    expect(await unlockRepositories(undefined, ['Ada/Kettle', 'x/y'], client())).toEqual([
      { repository: 'ada/kettle', migration: 2, unlocked: true },
      { repository: 'x/y', migration: undefined, unlocked: false },
    ])
  })
})

describe('deleteArchive', () => {
  it.each([
    ['archive-gone', 1],
    ['migration-not-found', 9],
  ])('says %s', async (code, id) => {
    host.script(`DELETE /user/migrations/${id}/archive`, { status: 404 })
    expect(await faultOf(deleteArchive(id, client()))).toMatchObject({ code })
  })
})

describe('createToken', () => {
  it('makes a token from a password, and keeps neither', async () => {
    const exchanges: Exchange[] = []
    const wanted = { status: 401, headers: { 'X-GitHub-OTP': 'required; app' } }
    host.script('POST /authorizations', wanted, { status: 201, body: { id: 1, token: 'f00' } })
    const options = {
      server: host.url,
      note: 'laptop',
      oneTimePassword: async () => '123456',
      trace: (exchange: Exchange) => void exchanges.push(exchange),
    }
    expect(await createToken('ada', 'correct horse', options)).toBe('f00')
    const [first, second] = host.asked
    const basic = `Basic ${Buffer.from('ada:correct horse').toString('base64')}`
    expect(first?.headers.authorization).toBe(basic)
    expect(second?.headers).toMatchObject({ authorization: basic, 'x-github-otp': '123456' })
    expect(JSON.parse(second?.body ?? '')).toEqual({ scopes: ['repo'], note: 'laptop' })
    expect(exchanges.map(({ status }) => status)).toEqual([401, 201])
    expect(JSON.stringify(exchanges)).not.toMatch(/horse|123456|Basic/)
  })

  it('asks no password of github.com, which makes no tokens from them', async () => {
    expect(await faultOf(createToken('ada', 'x', { server: 'github' }))).toMatchObject({
      code: 'request-refused',
      message: expect.stringContaining('November 2020'),
    })
  })
})
