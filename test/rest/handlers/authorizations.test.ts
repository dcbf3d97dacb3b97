import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../../src/http/access/accounts-file.ts'
import { type ArchiveServer, serveArchive } from '../../../src/serve/serve-archive.ts'
import { cheapHash } from '../../support/cheap-hash.ts'
import { type Send, sendTo } from '../../support/share-migrations.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const basic = (login: string, password: string) =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
const ADA = { Authorization: basic('ada', 'engine') }
const BOB = { Authorization: basic('bob', 'cup') }
const NOW = '2024-02-03T04:05:06Z'

const accounts: AccountsFile = {
  version: 1,
  accounts: [
    { login: 'ada', password: cheapHash('engine') },
    {
      login: 'bob',
      password: cheapHash('cup'),
      two_factor: { delivery: 'SMS', code: '123456' },
    },
  ],
  applications: [
    {
      client_id: 'kettle',
      secret_sha256: sha256Of('steam'),
      name: 'Kettle',
      url: 'https://k.example',
    },
    { client_id: 'pot', name: 'Pot' },
  ],
  tokens: [{ login: 'ada', sha256: sha256Of('ada-token'), scopes: ['repo'] }],
}

/** A server of its own for a test. */
async function serve(): Promise<{ send: Send; server: ArchiveServer }> {
  const clock = () => new Date(NOW)
  const server = await serveArchive([], { accounts, clock, state: ':memory:' })
  onTestFinished(() => server.close())
  return { send: sendTo(() => server), server }
}

const PATH = '/authorizations'

describe('POST /authorizations', () => {
  let refusing: ArchiveServer
  beforeAll(async () => {
    refusing = await serveArchive([], { accounts, state: ':memory:' })
  })
  afterAll(() => refusing.close())

  it('creates a token, which is valid immediately and shown only once', async () => {
    const { send } = await serve()
    const body = { note: 'laptop', scopes: ['repo', 'user'], note_url: 'https://n.example' }
    const made = await send('POST', PATH, { headers: ADA, body })
    expect(made.status).toBe(201)
    const { token } = made.body as { token: string }
    expect(Object.entries(made.body)).toEqual(
      Object.entries({
        id: 1,
        url: 'http://localhost:8730/authorizations/1',
        app: { name: 'laptop (API)', url: 'https://n.example', client_id: '0'.repeat(20) },
        token: expect.stringMatching(/^[0-9a-f]{40}$/),
        hashed_token: sha256Of(token),
        token_last_eight: token.slice(-8),
        note: 'laptop',
        note_url: 'https://n.example',
        created_at: NOW,
        updated_at: NOW,
        scopes: ['repo', 'user'],
        fingerprint: null,
      }),
    )
    expect(made.headers.get('location')).toBe('http://localhost:8730/authorizations/1')
    const told = await send('GET', '/user', { as: token })
    expect(told.status).toBe(200)
    expect(told.headers.get('x-oauth-scopes')).toBe('repo, user')
    const listed = await send('GET', PATH, { headers: ADA })
    expect(listed.body).toEqual([{ ...made.body, token: '' }])
    expect((await send('GET', `${PATH}/1`, { headers: ADA })).body).toEqual({
      ...made.body,
      token: '',
    })
  })

  it('issues a token to an application that proves itself', async () => {
    const { send } = await serve()
    const body = { note: 'n', client_id: 'kettle', client_secret: 'steam', scopes: null }
    const { body: made } = await send('POST', PATH, { headers: ADA, body })
    expect(made.app).toEqual({ name: 'Kettle', url: 'https://k.example', client_id: 'kettle' })
    expect(made.scopes).toEqual([])
  })

  everyDay(8)([
    [{}, [['description', 'missing_field']]],
    [{ note: null }, [['description', 'missing_field']]],
    [{ note: '' }, [['description', 'invalid']]],
    [{ note: 'x'.repeat(256) }, [['description', 'invalid']]],
    [
      { scopes: 'repo', note_url: 7, fingerprint: {}, note: [] },
      ['scopes', 'description', 'note_url', 'fingerprint'].map((field) => [field, 'invalid']),
    ],
    [{ note: 'n', scopes: ['repo', 'Repo'] }, [['scopes', 'invalid']]],
    [{ note: 'n', scopes: [1] }, [['scopes', 'invalid']]],
    [{ note: 'n', client_id: 'kettle' }, [['client_id', 'invalid']]],
    [{ note: 'n', client_secret: 'steam' }, [['client_id', 'invalid']]],
    [{ note: 'n', client_id: 'kettle', client_secret: 'water' }, [['client_id', 'invalid']]],
    [{ note: 'n', client_id: 'none', client_secret: 'steam' }, [['client_id', 'invalid']]],
    [{ note: 'n', client_id: 'pot', client_secret: '' }, [['client_id', 'invalid']]],
    [{ note: 'n', client_id: 1, client_secret: 'x' }, [['client_id', 'invalid']]],
  ])('refuses %j', async (body, faults) => {
    const send = sendTo(() => refusing)
    expect(await send('POST', PATH, { headers: ADA, body })).toMatchObject({
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: faults.map(([field, code]) => ({ resource: 'OauthAccess', field, code })),
      },
    })
    expect((await send('GET', PATH, { headers: ADA })).body).toEqual([])
  })

  it('refuses the same note again', async () => {
    const { send } = await serve()
    const body = { note: 'laptop' }
    expect((await send('POST', PATH, { headers: ADA, body })).status).toBe(201)
    expect((await send('POST', PATH, { headers: ADA, body })).body.errors).toEqual([
      { resource: 'OauthAccess', field: 'description', code: 'already_exists' },
    ])
    const other = { ...body, fingerprint: 'f' }
    expect((await send('POST', PATH, { headers: ADA, body: other })).status).toBe(201)
  })
})

describe('Only user name and password open /authorizations', () => {
  const ASKED = [
    ['POST', PATH],
    ['GET', PATH],
    ['DELETE', `${PATH}/1`],
  ] as const

  async function expectRefused(
    headers: Record<string, string>,
    {
      status,
      message,
      asked = ASKED,
    }: { status: number; message: string | RegExp; asked?: readonly (typeof ASKED)[number][] },
  ) {
    const { send } = await serve()
    for (const [method, path] of asked) {
      const told = await send(method, path, { headers })
      expect(told).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
      expect(told.headers.has('x-github-otp')).toBe(false)
      expect(told.headers.has('www-authenticate')).toBe(false)
    }
  }

  everyDay(1)<[string, Record<string, string>, number, string | RegExp]>([
    ['a stranger', {}, 401, 'Requires authentication'],
    ['a token', { Authorization: 'token ada-token' }, 403, /username and password Basic Auth$/],
    ['a token as password', { Authorization: basic('ada', 'ada-token') }, 403, /Basic Auth$/],
    ['a wrong password', { Authorization: basic('ada', 'steam') }, 401, 'Bad credentials'],
  ])('%s', (_, headers, status, message) => expectRefused(headers, { status, message }))

  // To test the password of nobody takes a tenth of a second; where Git asks, it is tested every day.
  it('nobody', THOROUGH, async () => {
    const eve = { Authorization: basic('eve', 'engine') }
    const asked = ASKED.slice(0, 1)
    await expectRefused(eve, { status: 401, message: 'Bad credentials', asked })
  })

  it('a password is good for nothing else', async () => {
    const { send } = await serve()
    expect(await send('GET', '/user', { headers: ADA })).toMatchObject({
      status: 401,
      body: { message: expect.stringMatching(/^Requires authentication: send a/) },
    })
  })
})

describe('A one-time password', () => {
  everyDay(1)([
    ['is missing', {}],
    ['is wrong', { 'X-GitHub-OTP': '000000' }],
    ['is empty', { 'X-Service-OTP': '' }],
  ])('that %s is asked for, in the headers of both families', async (_, code) => {
    const { send } = await serve()
    const { status, headers, body } = await send('GET', PATH, { headers: { ...BOB, ...code } })
    expect([status, body.message]).toEqual([
      401,
      'Must specify two-factor authentication OTP code.',
    ])
    for (const name of ['x-github-otp', 'x-service-otp']) {
      expect(headers.get(name)).toBe('required; SMS')
    }
  })

  it.each(['X-GitHub-OTP', 'X-Service-OTP'])('is taken from %s', async (name) => {
    const { send } = await serve()
    expect((await send('GET', PATH, { headers: { ...BOB, [name]: '123456' } })).status).toBe(200)
  })

  it('does not help a wrong password', async () => {
    const { send } = await serve()
    const headers = { Authorization: basic('bob', 'no'), 'X-GitHub-OTP': '123456' }
    const told = await send('GET', PATH, { headers })
    expect([told.status, told.headers.has('x-github-otp')]).toEqual([401, false])
  })

  it('slows down guessing', async () => {
    const { send } = await serve()
    const headers = { ...BOB, 'X-GitHub-OTP': '000000' }
    for (let i = 0; i < 10; i++) expect((await send('GET', PATH, { headers })).status).toBe(401)
    const right = { ...BOB, 'X-GitHub-OTP': '123456' }
    expect(await send('GET', PATH, { headers: right })).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^Maximum number of login/) },
    })
    expect((await send('GET', PATH, { headers: ADA })).status).toBe(200)
  })
})

test("A token is revoked by its person alone, and another's is not there", async () => {
  const { send } = await serve()
  const made = await send('POST', PATH, { headers: ADA, body: { note: 'n' } })
  const bob = { ...BOB, 'X-GitHub-OTP': '123456' }
  expect((await send('GET', `${PATH}/1`, { headers: bob })).status).toBe(404)
  expect((await send('DELETE', `${PATH}/1`, { headers: bob })).status).toBe(404)
  expect((await send('DELETE', `${PATH}/1`, { headers: ADA })).status).toBe(204)
  expect((await send('DELETE', `${PATH}/1`, { headers: ADA })).status).toBe(404)
  expect((await send('GET', '/user', { as: made.body.token as string })).status).toBe(401)
})
