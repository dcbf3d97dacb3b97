import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import {
  type AccountsFile,
  isOpenToOthers,
  parseAccounts,
  readAccountsFile,
  writeAccountsFile,
} from '../../../src/http/access/accounts-file.ts'
import { NO_PASSWORD } from '../../../src/http/access/password-hash.ts'
import { folderOf } from '../../support/folder.ts'

const HASH = 'a'.repeat(64)

const complete: AccountsFile = {
  version: 1,
  accounts: [
    {
      login: 'ada',
      id: 17,
      emails: ['ada@example.org', 'countess@example.org'],
      site_admin: false,
      password: NO_PASSWORD,
      two_factor: { delivery: 'app', secret: 'GEZDGNBVGY3TQOJQ' },
    },
    { login: 'build[bot]', two_factor: { delivery: 'SMS', code: '123456' } },
  ],
  applications: [
    { client_id: 'kettle', secret_sha256: HASH, name: 'Kettle', url: '', native: false },
  ],
  organizations: [
    { login: 'forge', id: 70, sso: true, members: [{ login: 'ada', role: 'admin' }] },
  ],
  tokens: [
    {
      login: 'ADA',
      sha256: HASH,
      last_eight: '12345678',
      scopes: ['repo'],
      note: 'laptop',
      client_id: null,
      sso: ['forge'],
      expires_at: '2024-01-31T23:59:59Z',
    },
  ],
}

const parse = (file: unknown) => parseAccounts(JSON.stringify(file))

test('A complete file comes back as it was written, and only its owner can read it', async () => {
  const path = join(await folderOf(), 'accounts.json')
  await writeAccountsFile(path, complete)
  expect(readAccountsFile(path)).toEqual(complete)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(isOpenToOthers(path)).toBe(false)
  chmodSync(path, 0o644)
  expect(isOpenToOthers(path)).toBe(true)
})

test('Only the version is required, and only the login of an account', () => {
  expect(parse({ version: 1 })).toEqual({ version: 1 })
  expect(parse({ version: 1, accounts: [{ login: 'a' }] }).accounts).toEqual([{ login: 'a' }])
})

test('A file that is no JSON or is not there is named in the error', async () => {
  const folder = await folderOf()
  const path = join(folder, 'accounts.json')
  writeFileSync(path, '{"version": 1')
  for (const archive of [path, join(folder, 'none.json'), folder]) {
    expect(() => readAccountsFile(archive)).toThrow(
      expect.objectContaining({ code: 'accounts-invalid', place: { archive } }),
    )
  }
})

test('A symbolic link is never replaced', async () => {
  const folder = await folderOf()
  const path = join(folder, 'accounts.json')
  writeFileSync(join(folder, 'other.json'), '{}')
  symlinkSync('other.json', path)
  await expect(writeAccountsFile(path, complete)).rejects.toMatchObject({ code: 'output-refused' })
  expect(readFileSync(join(folder, 'other.json'), 'utf8')).toBe('{}')
})

/** A complete file with one change. */
function changed(change: (file: AccountsFile & Record<string, unknown>) => void): unknown {
  const file = structuredClone(complete) as AccountsFile & Record<string, unknown>
  change(file)
  return file
}

const firstOf = <T>(list: readonly T[] | undefined) => list?.[0] as Record<string, unknown> & T

describe('It is refused, with the place, where', () => {
  const cases: [string, string, (file: AccountsFile & Record<string, unknown>) => void][] = [
    ['the version is another', 'version', (file) => Object.assign(file, { version: 2 })],
    ['a list is none', 'accounts', (file) => Object.assign(file, { accounts: {} })],
    ['a member is unknown', 'acounts', (file) => Object.assign(file, { acounts: [] })],
    [
      'a member of an account is unknown',
      'accounts[0].pasword',
      ({ accounts }) => Object.assign(firstOf(accounts), { pasword: '' }),
    ],
    [
      'a login has spaces',
      'accounts[0].login',
      ({ accounts }) => Object.assign(firstOf(accounts), { login: 'a b' }),
    ],
    [
      'a number is none',
      'accounts[0].id',
      ({ accounts }) => Object.assign(firstOf(accounts), { id: '17' }),
    ],
    [
      'an address is none',
      'accounts[0].emails[1]',
      ({ accounts }) => Object.assign(firstOf(accounts), { emails: ['a@b', 'c'] }),
    ],
    [
      'a password is in clear',
      'accounts[0].password',
      ({ accounts }) => Object.assign(firstOf(accounts), { password: 'secret' }),
    ],
    [
      'a password would take too much memory to test',
      'accounts[0].password',
      ({ accounts }) =>
        Object.assign(firstOf(accounts), { password: NO_PASSWORD.replace('32768', '4194304') }),
    ],
    [
      'a code has five digits',
      'accounts[0].two_factor.code',
      ({ accounts }) =>
        Object.assign(firstOf(accounts), { two_factor: { delivery: 'app', code: '12345' } }),
    ],
    [
      'there are a secret and a code',
      'accounts[0].two_factor',
      ({ accounts }) =>
        Object.assign(firstOf(accounts), {
          two_factor: { delivery: 'app', code: '123456', secret: 'GEZDGNBVGY3TQOJQ' },
        }),
    ],
    [
      'a login is there twice',
      'accounts[2].login',
      ({ accounts }) => accounts?.push({ login: 'Ada' }),
    ],
    [
      'a login is also that of an organization',
      'organizations[0].login',
      ({ organizations }) => Object.assign(firstOf(organizations), { login: 'ADA' }),
    ],
    [
      'a number is there twice',
      'accounts[2].id',
      ({ accounts }) => accounts?.push({ login: 'b', id: 17 }),
    ],
    [
      'an address is there twice',
      'accounts[2].emails[0]',
      ({ accounts }) => accounts?.push({ login: 'b', emails: ['Ada@Example.org'] }),
    ],
    [
      'a role is unknown',
      'organizations[0].members[0].role',
      ({ organizations }) =>
        Object.assign(firstOf(organizations), { members: [{ login: 'ada', role: 'owner' }] }),
    ],
    [
      'a token is in clear',
      'tokens[0].sha256',
      ({ tokens }) => Object.assign(firstOf(tokens), { sha256: 'token' }),
    ],
    [
      'a token is there twice',
      'tokens[1].sha256',
      ({ tokens }) => tokens?.push({ login: 'ada', sha256: HASH }),
    ],
    [
      'a token belongs to nobody',
      'tokens[0].login',
      ({ tokens }) => Object.assign(firstOf(tokens), { login: 'eve' }),
    ],
    [
      'a token was issued to an unknown application',
      'tokens[0].client_id',
      ({ tokens }) => Object.assign(firstOf(tokens), { client_id: 'pot' }),
    ],
    [
      'a time is none',
      'tokens[0].expires_at',
      ({ tokens }) => Object.assign(firstOf(tokens), { expires_at: 'tomorrow' }),
    ],
  ]

  it.each(cases)('%s', (_, member, change) => {
    expect(() => parse(changed(change))).toThrow(
      expect.objectContaining({ code: 'accounts-invalid', place: { member } }),
    )
  })

  it('a message never repeats what the file holds', () => {
    const file = changed(({ accounts }) =>
      Object.assign(firstOf(accounts), { password: 'hunter2', emails: ['x'] }),
    )
    expect(() => parse(file)).toThrow(/^(?!.*hunter2)/)
  })
})
