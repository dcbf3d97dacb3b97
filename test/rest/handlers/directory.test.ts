import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../../src/http/access/accounts-file.ts'
import { type ArchiveServer, serveArchive } from '../../../src/serve/serve-archive.ts'
import { MIGRATION_WORLD } from '../../support/migrations.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { sendTo } from '../../support/share-migrations.ts'

const SCOPE = 'admin.directory.user.security'

const accounts: AccountsFile = {
  version: 1,
  accounts: [
    { login: 'ada', emails: ['Ada@example.org', 'countess@example.org'] },
    { login: 'bob', id: 4711 },
    { login: 'cem' },
  ],
  applications: [{ client_id: 'kettle.example', name: 'Kettle', native: true }],
  tokens: [
    { login: 'bob', sha256: sha256Of('admin'), scopes: [SCOPE] },
    { login: 'bob', sha256: sha256Of('prefixed'), scopes: [`https://s.example/auth/${SCOPE}`] },
    { login: 'bob', sha256: sha256Of('other'), scopes: ['repo'] },
    { login: 'ada', sha256: sha256Of('a'), scopes: ['user', 'repo'], client_id: 'kettle.example' },
    { login: 'ada', sha256: sha256Of('b'), scopes: ['gist', 'repo'], client_id: 'kettle.example' },
    {
      login: 'ada',
      sha256: sha256Of('c'),
      scopes: ['old'],
      client_id: 'kettle.example',
      expires_at: '2020-01-01T00:00:00Z',
    },
    { login: 'cem', sha256: sha256Of('d'), client_id: 'kettle.example' },
  ],
}

const CEM = {
  type: 'user',
  url: 'https://github.com/cem',
  login: 'cem',
  avatar_url: 'https://avatars.githubusercontent.com/u/21?v=4',
  emails: [{ address: 'Cem@example.org', primary: true }],
}
const { paths } = shareDatabases({
  records: {},
  files: { ...MIGRATION_WORLD, 'users_000002.json': [CEM] },
})

let server: ArchiveServer
const send = sendTo(() => server)
beforeAll(async () => {
  server = await serveArchive(paths, { accounts, state: ':memory:' })
})
afterAll(() => server.close())

const pathOf = (user: string, client = 'kettle.example') =>
  `/admin/directory/v1/users/${encodeURIComponent(user)}/tokens/${client}`

test('All keys of an account give the same token, which has the scopes of all that it issued', async () => {
  const told = await Promise.all(
    ['ada@example.org', 'COUNTESS@example.org', '17'].map((key) =>
      send('GET', `${pathOf(key)}?alt=json`, { as: 'admin', headers: { Accept: 'text/html' } }),
    ),
  )
  expect(told[0]).toMatchObject({
    status: 200,
    body: {
      kind: 'admin#directory#token',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      clientId: 'kettle.example',
      displayText: 'Kettle',
      anonymous: false,
      nativeApp: true,
      userKey: '17',
      scopes: ['gist', 'repo', 'user'],
    },
  })
  expect(told.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => told[0]?.body))
})

test('An address of the archive is a key of an account for which the file has none', async () => {
  const told = await send('GET', pathOf('cem@example.org'), { as: 'prefixed' })
  expect(told.body).toMatchObject({ userKey: '21', scopes: [] })
})

describe('The envelope of errors is that of the directory', () => {
  it.each([
    ['no credentials', pathOf('17'), undefined, 401, 'Login Required', 'required'],
    ['a bad token', pathOf('17'), 'nobody', 401, 'Login Required', 'required'],
    ['no scope', pathOf('17'), 'other', 403, 'Insufficient Permission', 'insufficientPermissions'],
    ['no account', pathOf('eve@x'), 'admin', 404, 'Resource Not Found: userKey', 'notFound'],
    ['a login', pathOf('ada'), 'admin', 404, 'Resource Not Found: userKey', 'notFound'],
    ['no token', pathOf('4711'), 'admin', 404, 'Resource Not Found: token', 'notFound'],
    ['no client', pathOf('17', 'pot'), 'admin', 404, 'Resource Not Found: token', 'notFound'],
  ])('%s', async (_, path, as, code, message, reason) => {
    const told = await send('GET', path, { ...(as && { as }) })
    expect(told.status).toBe(code)
    expect(told.body).toEqual({
      error: { code, message, errors: [{ message, domain: 'global', reason }] },
    })
  })
})
