import { expect, test } from 'vitest'
import { worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'

const ask = shareServer([worldRecords()], { accounts: accountsOf({ ada: ['repo'] }) })

test.each([
  ...['followers', 'following', 'starred', 'subscriptions', 'gists'].map(
    (each) => `/users/bob/${each}`,
  ),
  '/user/followers',
  '/user/starred',
  '/user/subscriptions',
  '/gists',
  '/gists/starred',
  ...['forks', 'stargazers', 'subscribers', 'deployments', 'security-advisories'].map(
    (each) => `/repos/forge/kettle/${each}`,
  ),
])('%s is an empty list, as its count is 0', async (path) => {
  const { status, body, headers } = await ask(path, as('ada'))
  expect([status, body, headers.get('link')]).toEqual([200, [], null])
})

test.each(['/users/nobody/starred', '/repos/forge/none/forks', '/orgs/none/public_members'])(
  'What does not exist has no lists: %s',
  async (path) => {
    expect((await ask(path, as('ada'))).status).toBe(404)
  },
)

test('Nobody watches a repository, for which the host says 404', async () => {
  expect((await ask('/repos/forge/kettle/subscription', as('ada'))).status).toBe(404)
})
