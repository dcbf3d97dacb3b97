import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createAccounts,
  hasSha256,
  openAccounts,
  sha256Of,
} from '../../../src/http/access/accounts.ts'
import { type AccountsFile, writeAccountsFile } from '../../../src/http/access/accounts-file.ts'
import { folderOf } from '../../support/folder.ts'

const file: AccountsFile = {
  version: 1,
  accounts: [
    {
      login: 'Ada',
      emails: ['Ada@example.org'],
      two_factor: { delivery: 'SMS', code: '123456' },
    },
    { login: 'bob', id: 7, site_admin: true },
  ],
  applications: [{ client_id: 'kettle', name: 'Kettle' }],
  organizations: [{ login: 'Forge', sso: true }],
  tokens: [
    {
      login: 'ada',
      sha256: sha256Of('tøken'),
      expires_at: '2024-01-01T00:00:10Z',
      client_id: 'kettle',
      last_eight: '12345678',
    },
    { login: 'Ada', sha256: sha256Of('another'), scopes: ['repo'], sso: ['forge'] },
  ],
}

test('Logins, addresses and organizations are found in upper and lower case', () => {
  const accounts = createAccounts(file)
  expect(accounts.findAccount('aDA')).toEqual({
    login: 'Ada',
    id: undefined,
    emails: ['Ada@example.org'],
    siteAdmin: false,
    twoFactor: { delivery: 'SMS' },
  })
  expect(accounts.findAccount('bob')).toMatchObject({ id: 7, siteAdmin: true })
  expect(accounts.findAccountByEmail('ADA@EXAMPLE.ORG')?.login).toBe('Ada')
  expect(accounts.findOrganization('forge')).toMatchObject({
    login: 'Forge',
    sso: true,
    members: [],
  })
  expect(accounts.findApplication('kettle')).toMatchObject({ name: 'Kettle', isNative: false })
  expect([accounts.findAccount('eve'), accounts.findOrganization('ada')]).toEqual([
    undefined,
    undefined,
  ])
})

test('Tokens are found by hash and by login', () => {
  const accounts = createAccounts(file)
  expect(accounts.findToken(sha256Of('tøken'))).toEqual({
    login: 'ada',
    sha256: sha256Of('tøken'),
    scopes: [],
    clientId: 'kettle',
    sso: [],
    expiresAt: new Date('2024-01-01T00:00:10Z'),
    lastEight: '12345678',
  })
  expect(accounts.tokensOf('ADA').map(({ scopes }) => scopes)).toEqual([[], ['repo']])
  expect(accounts.findToken(sha256Of('token'))).toBeUndefined()
})

test('A code is tested against the account', () => {
  const { verifyCode } = createAccounts(file)
  expect(verifyCode('ADA', '123456')).toBe('right')
  expect(verifyCode('ada', undefined)).toBe('missing')
  expect(verifyCode('bob', undefined)).toBe('right')
})

test('A text has its own hash alone', () => {
  expect(hasSha256('tøken', sha256Of('tøken'))).toBe(true)
  expect(hasSha256('token', sha256Of('tøken'))).toBe(false)
})

test('A file is read again on request, and an invalid one leaves the old accounts in force', async () => {
  const path = join(await folderOf(), 'accounts.json')
  await writeAccountsFile(path, file)
  const { accounts, reload } = openAccounts(path)
  await writeAccountsFile(path, { version: 1, accounts: [{ login: 'eve' }] })
  expect(accounts.findAccount('eve')).toBeUndefined()
  reload()
  expect(accounts.findAccount('eve')?.login).toBe('eve')
  writeFileSync(path, '{')
  expect(reload).toThrow(expect.objectContaining({ code: 'accounts-invalid' }))
  expect(accounts.accounts.map(({ login }) => login)).toEqual(['eve'])
})

test('Failures to sign in are not forgotten when the file is read again', async () => {
  const path = join(await folderOf(), 'accounts.json')
  await writeAccountsFile(path, file)
  const { accounts, reload } = openAccounts(path)
  for (let i = 0; i < 10; i++) accounts.verifyCode('ada', '000000')
  reload()
  expect(await accounts.verifyPassword('ada', 'whatever it is')).toBe('throttled')
})
