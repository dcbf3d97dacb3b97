import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { itemsOf } from '../../../../src/cli/commands/accounts/change-accounts.ts'
import { main } from '../../../../src/cli/main.ts'
import { sha256Of } from '../../../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../../../src/http/access/accounts-file.ts'
import { verifyPassword } from '../../../../src/http/access/password-hash.ts'
import { collector, inFolder, run } from '../../../support/run-command.ts'
import { THOROUGH } from '../../../support/thorough.ts'

const read = (): AccountsFile => JSON.parse(readFileSync('it.json', 'utf8'))
const accounts = (...argv: string[]) => run(['accounts', ...argv])

beforeEach(() => void inFolder())

/** Runs a command line at a terminal at which somebody types this. */
async function typing(keys: string, ...argv: string[]) {
  const stdout = collector()
  const stderr = collector()
  const code = await main(['accounts', ...argv], {
    stdin: Object.assign(Readable.from([...keys]), { isTTY: true, setRawMode() {} }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

describe('marc accounts user', () => {
  it('makes a file that only its owner can read, and changes what it is told to', async () => {
    expect((await accounts('user', 'it.json', 'ada', '--email', 'a@b.example')).code).toBe(0)
    expect(statSync('it.json').mode & 0o777).toBe(0o600)
    await accounts('user', 'it.json', 'bob', '--id', '7', '--site-admin')
    await accounts('user', 'it.json', 'ADA', '--email', 'c@d.example', '--email', 'e@f.example')
    expect(read()).toEqual({
      version: 1,
      accounts: [
        { login: 'ada', emails: ['c@d.example', 'e@f.example'] },
        { login: 'bob', id: 7, site_admin: true },
      ],
    })
  })

  it('takes a password from standard input, and keeps its hash alone', THOROUGH, async () => {
    const stdin = 'correct horse\n'
    await run(['accounts', 'user', 'it.json', 'ada', '--password-stdin'], { stdin })
    expect(readFileSync('it.json', 'utf8')).not.toContain('horse')
    const hashed = read().accounts?.[0]?.password ?? ''
    expect(await verifyPassword('correct horse', hashed)).toBe(true)
  })

  it('asks for a password twice, and shows nothing of it', THOROUGH, async () => {
    const { code, stdout, stderr } = await typing(
      'sx\x7fecret\rsecret\r',
      'user',
      'it.json',
      'ada',
      '--password',
    )
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain('ecret')
    expect(stderr).toBe('Password: \nPassword again: \n')
    expect(read().accounts?.[0]?.password).toMatch(/^scrypt\$/)
  })

  it('keeps the hash of the password that was typed', THOROUGH, async () => {
    await typing('sx\x7fecret\rsecret\r', 'user', 'it.json', 'ada', '--password')
    expect(await verifyPassword('secret', read().accounts?.[0]?.password ?? '')).toBe(true)
  })

  it.each([
    ['another password', 'one\rtwo\r', 2],
    ['an empty one', '\r', 2],
    ['Ctrl-C', 'se\x03', 130],
    ['the end of input', 'se', 130],
  ])('writes nothing after %s', async (_, keys, code) => {
    expect((await typing(keys, 'user', 'it.json', 'ada', '--password')).code).toBe(code)
    expect(existsSync('it.json')).toBe(false)
  })

  it('prints the address that sets up an authenticator, once', async () => {
    const { stdout } = await accounts('user', 'it.json', 'ada', '--otp', 'sms')
    expect(stdout).toMatch(/^otpauth:\/\/totp\/migration-archive:ada\?.*secret=[A-Z2-7]{32}&/)
    expect(read().accounts?.[0]?.two_factor).toEqual({
      delivery: 'SMS',
      secret: /secret=(\w+)/.exec(stdout)?.[1],
    })
    expect((await accounts('list', 'it.json')).stdout).not.toMatch(/[A-Z2-7]{32}/)
  })

  it('refuses a password that no terminal and no option gives', async () => {
    const { code, stderr } = await run(['accounts', 'user', 'it.json', 'ada', '--password'], {
      stdin: 'x\n',
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/Pass --password-stdin/)
  })
})

test('Scopes are separated by commas', () => {
  expect(itemsOf('repo, user,,gist ')).toEqual(['repo', 'user', 'gist'])
  expect(itemsOf(undefined)).toEqual([])
})

describe('marc accounts token', () => {
  it('prints a new token and keeps its hash', async () => {
    const { stdout } = await accounts(
      'token',
      'it.json',
      'ada',
      '--scopes',
      'repo,user',
      '--note',
      'laptop',
      '--sso',
      'forge',
      '--expires',
      '2030-01-01',
    )
    expect(stdout).toMatch(/^[0-9a-f]{40}\n$/)
    const token = stdout.trim()
    expect(read().tokens).toEqual([
      {
        login: 'ada',
        sha256: sha256Of(token),
        last_eight: token.slice(-8),
        scopes: ['repo', 'user'],
        note: 'laptop',
        client_id: null,
        sso: ['forge'],
        expires_at: '2030-01-01T00:00:00Z',
      },
    ])
  })

  it('takes a known one, which it does not print', async () => {
    const argv = ['accounts', 'token', 'it.json', 'ada', '--token-stdin']
    const { stdout } = await run(argv, { stdin: 'swordfish-99\n' })
    expect(stdout).toBe('The token ending in dfish-99 is in it.json.\n')
    expect(read().tokens?.[0]?.sha256).toBe(sha256Of('swordfish-99'))
    expect((await run(argv, { stdin: 'swordfish-99\n' })).stderr).toMatch(/the same as tokens\[0\]/)
  })

  it.each(['short', 'with space', 'two\nlines', ''])('refuses %j as a token', async (stdin) => {
    const argv = ['accounts', 'token', 'it.json', 'ada', '--token-stdin']
    expect((await run(argv, { stdin })).code).toBe(2)
    expect(existsSync('it.json')).toBe(false)
  })

  it.each([
    ['admin.org', 'there is no scope "admin.org"\nDid you mean admin:org?\n'],
    ['repo,bogus', 'there is no scope "bogus"\nKnown are: repo, '],
  ])('refuses the scopes %s', async (scopes, message) => {
    const { code, stderr } = await accounts('token', 'it.json', 'ada', '--scopes', scopes)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(existsSync('it.json')).toBe(false)
  })

  it('takes the scope of the directory with the address of a host', async () => {
    const scope = 'https://host.example/auth/admin.directory.user.security'
    await accounts('token', 'it.json', 'ada', '--scopes', scope)
    expect(read().tokens?.[0]?.scopes).toEqual([scope])
  })

  it('refuses an application that the file does not have', async () => {
    const { code, stderr } = await accounts('token', 'it.json', 'ada', '--application', 'kettle')
    expect(code).toBe(2)
    expect(stderr).toMatch(/expected an application of this file/)
  })
})

test('marc accounts organization adds members and changes their roles', async () => {
  await accounts('organization', 'it.json', 'forge', '--member', 'ada', '--member', 'bob:admin')
  await accounts('organization', 'it.json', 'Forge', '--sso', '--member', 'ADA:admin')
  expect(read().organizations).toEqual([
    {
      login: 'forge',
      sso: true,
      members: [
        { login: 'bob', role: 'admin' },
        { login: 'ADA', role: 'admin' },
      ],
    },
  ])
  expect((await accounts('organization', 'it.json', 'f', '--member', 'ada:owner')).code).toBe(2)
})

test('marc accounts remove takes tokens and memberships along, or one token alone', async () => {
  const { stdout } = await accounts('token', 'it.json', 'ada')
  await accounts('token', 'it.json', 'ada', '--note', 'kept')
  await accounts('token', 'it.json', 'bob')
  await accounts('organization', 'it.json', 'forge', '--member', 'ada', '--member', 'bob')
  const last = stdout.trim().slice(-8)
  expect((await accounts('remove', 'it.json', 'ADA', '--token', last)).stdout).toBe(
    'Removed 1 token.\n',
  )
  expect(read().tokens?.map(({ note }) => note)).toEqual(['kept', null])
  expect((await accounts('remove', 'it.json', 'ada')).stdout).toBe('Removed ada and 1 token.\n')
  expect(read()).toMatchObject({
    accounts: [{ login: 'bob' }],
    tokens: [{ login: 'bob' }],
    organizations: [{ members: [{ login: 'bob', role: 'member' }] }],
  })
  expect((await accounts('remove', 'it.json', 'ada')).stdout).toMatch(/^There is nothing to remove/)
})

test('marc accounts list shows accounts, organizations and tokens, but no hash', async () => {
  await accounts('user', 'it.json', 'ada', '--email', 'a@b.example', '--otp', 'app')
  const { stdout: token } = await accounts('token', 'it.json', 'ada', '--scopes', 'repo')
  await accounts('organization', 'it.json', 'forge', '--sso')
  const { stdout } = await accounts('list', 'it.json', '--csv')
  expect(stdout.replaceAll('\r', '')).toBe(
    `kind,login,details,token\naccount,ada,"a@b.example, one-time passwords by app",\norganization,forge,single sign-on,\ntoken,ada,scopes repo,${token.trim().slice(-8)}\n`,
  )
})

test.each(['user', 'token', 'organization', 'remove'])(
  'marc accounts %s leaves a file that is invalid as it is',
  async (name) => {
    writeFileSync('it.json', '{"version": 2}')
    const { code, stderr } = await accounts(name, 'it.json', 'ada')
    expect(code).toBe(2)
    expect(stderr).toMatch(/version: expected version 1|member version/)
    expect(readFileSync('it.json', 'utf8')).toBe('{"version": 2}')
  },
)

test.each([
  [['user', 'it.json', 'a b'], 'expected a login'],
  [['user', 'it.json', 'ada', '--email', 'ada'], 'expected an e-mail address'],
  [['token', 'it.json', '.'], 'expected a login'],
  [['organization', 'it.json', 'a b'], 'expected a login'],
])('What is typed must have the form of its member: %j', async (argv, message) => {
  const { code, stderr } = await accounts(...argv)
  expect([code, stderr]).toEqual([2, `marc: ${message}\nSee: marc accounts ${argv[0]} --help\n`])
  expect(existsSync('it.json')).toBe(false)
})
