import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type Accounts,
  NO_ACCOUNTS,
  type PasswordVerdict,
  type Token,
} from '../../../src/http/access/accounts.ts'
import { authenticate, parseCredentials } from '../../../src/http/access/authenticate.ts'
import type { Caller } from '../../../src/http/access/caller.ts'
import { requireCaller } from '../../../src/http/access/require-caller.ts'
import { openCatalog } from '../../../src/rest/catalog/catalog.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const token = (text: string, more: Partial<Token> = {}): Token => ({
  login: 'ada',
  sha256: sha256(text),
  scopes: ['repo'],
  ...more,
})

const EMPTY_STATE = { findToken: () => undefined }

const ADA = { login: 'Ada', id: 17, siteAdmin: false }

function accountsWith(tokens: readonly Token[], verdict: PasswordVerdict = 'right'): Accounts {
  return {
    ...NO_ACCOUNTS,
    findAccount: (login) => (login.toLowerCase() === 'ada' ? ADA : undefined),
    findToken: (hash) => tokens.find((one) => one.sha256 === hash),
    verifyPassword: async () => verdict,
  }
}

const ask = async (header: string | null, accounts: Accounts, takesPassword = false) =>
  authenticate(header, takesPassword, {
    accounts,
    state: EMPTY_STATE,
    catalog: await openCatalog([]),
  })

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const accounts = accountsWith([token('abc')], 'wrong')

test.each([
  'token abc',
  'Bearer abc',
  basic('anybody', 'abc'),
  basic('abc', ''),
  basic('abc', 'x-oauth-basic'),
])('%s signs in with the token abc', async (header) => {
  expect(await ask(header, accounts)).toEqual({
    login: 'Ada',
    id: 17,
    kind: 'token',
    scopes: ['repo'],
    tokenSha256: sha256('abc'),
    tokenLastEight: 'abc',
    account: ADA,
  })
})

test('A token that a caller made is good, with the application that it was made for', async () => {
  const made = token('made', { clientId: 'kettle', login: 'ben' })
  const state = {
    ...EMPTY_STATE,
    findToken: (hash: string) => [made].find((one) => one.sha256 === hash),
  }
  const catalog = { ...(await openCatalog([])), numberOfAccount: () => 18 }
  expect(
    await authenticate('token made', false, { accounts: NO_ACCOUNTS, state, catalog }),
  ).toMatchObject({
    login: 'ben',
    id: 18,
    clientId: 'kettle',
  })
})

describe('401 answers', () => {
  test.each([
    ['an unknown token', 'token abd'],
    ['a token as user name beside a password', basic('abc', 'secret')],
    ['a wrong password', basic('ada', 'secret')],
    ['unreadable credentials', 'Digest x'],
  ])('%s', async (_what, header) => {
    await expect(ask(header, accounts)).rejects.toMatchObject({
      status: 401,
      message: 'Bad credentials',
    })
  })

  test('an expired token, by the time of the machine', async () => {
    const expired = accountsWith([token('abc', { expiresAt: new Date(Date.now() - 1) })])
    await expect(ask('token abc', expired)).rejects.toMatchObject({ status: 401 })
    const fresh = accountsWith([token('abc', { expiresAt: new Date(Date.now() + 60_000) })])
    expect(await ask('token abc', fresh)).toMatchObject({ login: 'Ada' })
  })

  test('a right password where only tokens are taken', async () => {
    await expect(ask(basic('ada', 'secret'), accountsWith([]))).rejects.toMatchObject({
      status: 401,
      message: expect.stringMatching(/^Requires authentication: send a token/),
    })
  })
})

describe('How long a wrong token takes tells nothing about a right one:', () => {
  test('it is looked up by its hash alone', async () => {
    const asked: string[] = []
    const findToken = (hash: string) => void asked.push(hash)
    const watched = { ...accountsWith([], 'wrong'), findToken }
    await expect(ask('token abd', watched)).rejects.toMatchObject({ status: 401 })
    expect(asked).toEqual([sha256('abd')])
  })

  test('what is found must have the whole hash, which is compared once more', async () => {
    const almost = `${sha256('abc').slice(0, -1)}${sha256('abc').endsWith('0') ? '1' : '0'}`
    const careless = {
      ...accountsWith([], 'wrong'),
      findToken: () => token('abc', { sha256: almost }),
    }
    await expect(ask('token abc', careless)).rejects.toMatchObject({ status: 401 })
  })
})

test('A right password signs in where passwords are taken', async () => {
  expect(await ask(basic('ADA', 'secret'), accountsWith([]), true)).toEqual({
    login: 'Ada',
    id: 17,
    kind: 'password',
    scopes: [],
    account: ADA,
  })
})

test.each([
  ['throttled', 403],
  ['busy', 503],
] as const)('A password that is %s is answered with %d', async (verdict, status) => {
  await expect(ask(basic('ada', 'x'), accountsWith([], verdict))).rejects.toMatchObject({ status })
})

describe('Who may call', () => {
  const endpoint = { method: 'GET', path: '/x', handler: 'x', summary: 'x', chapter: '' } as const
  const caller: Caller = { login: 'Ada', id: 17, kind: 'token', scopes: ['repo'], account: ADA }
  const directory = ['https://scopes.example/auth/admin.directory.user.security']
  test.each([
    ['all', undefined, undefined],
    ['user', undefined, 404],
    ['user', caller, undefined],
    ['password', undefined, 401],
    ['password', caller, 403],
    ['password', { ...caller, kind: 'password' }, undefined],
    ['scope', undefined, 401],
    ['scope', caller, 403],
    ['scope', { ...caller, scopes: ['admin.directory.user.security'] }, undefined],
    ['scope', { ...caller, scopes: directory }, undefined],
    ['signature', undefined, undefined],
  ] as const)('what is for %s: %o gets %s', (who, given, status) => {
    const judge = () => requireCaller({ ...endpoint, who }, given)
    if (status === undefined) expect(judge).not.toThrow()
    else expect(judge).toThrow(expect.objectContaining({ status }))
  })
})

const encode = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test.each([
  ['token abc', 'abc'],
  ['TOKEN abc', 'abc'],
  ['bearer  abc ', 'abc'],
])('%j carries a token', (header, token) => {
  expect(parseCredentials(header)).toEqual({ kind: 'token', token })
})

test.each([
  ['ada:secret', 'ada', 'secret'],
  ['ada:se:cr:et', 'ada', 'se:cr:et'],
  ['abc:', 'abc', ''],
  [':abc', '', 'abc'],
  ['ada:pässword', 'ada', 'pässword'],
])('Basic credentials %j are split at the first colon', (text, user, password) => {
  expect(parseCredentials(encode(text))).toEqual({ kind: 'basic', user, password })
})

describe('A stranger sends', () => {
  test.each([null, undefined, '', '  ', 'Basic Og=='])('%j', (header) => {
    expect(parseCredentials(header)).toEqual({ kind: 'none' })
  })
})

describe('Credentials are unreadable if they are', () => {
  test.each([
    'token',
    'token a b',
    'token ä',
    'Digest abc',
    'abc',
    'Basic',
    'Basic $$$',
    encode('no colon'),
  ])('%j', (header) => {
    expect(parseCredentials(header)).toEqual({ kind: 'unreadable' })
  })
})
