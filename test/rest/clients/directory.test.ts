import { admin, auth } from '@googleapis/admin'
import { describe, expect, test } from 'vitest'
import { everyDay } from '../../support/thorough.ts'
import { serveWorld, TOKENS } from './served-world.ts'

const world = serveWorld()

const ask = (token: string, userKey: string, clientId = 'kettle') => {
  const client = new auth.OAuth2()
  client.setCredentials({ access_token: token })
  const directory = admin({ version: 'directory_v1', auth: client, rootUrl: `${world.url}/` })
  return directory.tokens.get({ userKey, clientId })
}

describe('@googleapis/admin looks a token up by', () => {
  everyDay(1)(['ada@forge.example', 'COUNTESS@forge.example', '17'])('%s', async (userKey) => {
    const { status, data } = await ask(TOKENS.directory, userKey)
    expect([status, data]).toEqual([
      200,
      {
        kind: 'admin#directory#token',
        etag: expect.stringMatching(/^".+"$/),
        clientId: 'kettle',
        displayText: 'Kettle',
        anonymous: false,
        nativeApp: false,
        userKey: '17',
        scopes: [expect.stringContaining('admin.directory.user.security')],
      },
    ])
  })
})

test.each([
  [403, 'Insufficient Permission', TOKENS.owner, '17', 'kettle'],
  [401, 'Login Required', 'wrong', '17', 'kettle'],
  [404, 'Resource Not Found: userKey', TOKENS.directory, 'nobody@forge.example', 'kettle'],
  [404, 'Resource Not Found: token', TOKENS.directory, '17', 'none'],
])('@googleapis/admin gets %d %s', async (status, message, token, userKey, clientId) => {
  await expect(ask(token, userKey, clientId)).rejects.toMatchObject({ status, message })
})
