import { describe, expect, test } from 'vitest'
import { HOST, worldRecords } from '../../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../../support/serve-world.ts'
import {
  collaboratorShape,
  expectShape,
  listedOrganizationShape,
  repositoryTeamShape,
} from '../../../support/shapes.ts'

const world = worldRecords()
const [forge] = world.organizations
const member = (login: string, role: string) => ({
  user: `${HOST}/${login}`,
  role,
  state: 'active',
})
const ask = shareServer(
  [
    {
      ...world,
      organizations: [
        { ...forge, members: [member('ada', 'admin'), member('carol', 'direct_member')] },
      ],
    },
  ],
  {
    accounts: accountsOf(
      { ada: ['repo'], bob: ['repo'], carol: ['repo'], dave: ['repo'], twin: ['repo'] },
      [{ login: 'forge', sso: false, members: [{ login: 'twin', role: 'member' }] }],
    ),
  },
)
const SECRET = '/repos/forge/secret'

interface Collaborator {
  readonly login: string
  readonly role_name: string
}

describe('Collaborators', () => {
  test('are the people with a permission of their own, by login, for callers who may push', async () => {
    for (const login of ['ada', 'dave']) {
      const { body } = await ask<Collaborator[]>(`${SECRET}/collaborators`, as(login))
      for (const each of body) expectShape(each, collaboratorShape)
      expect(body.map(({ login, role_name }) => [login, role_name])).toEqual([
        ['ada', 'admin'],
        ['bob', 'read'],
        ['carol', 'read'],
        ['dave', 'write'],
        ['twin', 'read'],
      ])
    }
    const { body } = await ask<Collaborator[]>('/repos/ada/notes/collaborators', as('ada'))
    expect(body).toMatchObject([{ login: 'ada', permissions: { admin: true, triage: true } }])
  })

  test.each(['', '/ada', '/ada/permission'])('are nothing to others: %s', async (rest) => {
    for (const headers of [{}, as('bob'), as('carol')]) {
      for (const home of [SECRET, '/repos/forge/kettle']) {
        expect((await ask(`${home}/collaborators${rest}`, headers)).status).toBe(404)
      }
    }
    expect((await ask('/repos/forge/kettle/teams', as('carol'))).status).toBe(404)
  })

  test.each([
    ['forge/secret', 'BOB', 204, 'read'],
    ['forge/secret', 'steam[bot]', 404, 'none'],
    ['forge/kettle', 'ada', 204, 'admin'],
    ['forge/kettle', 'bob', 404, 'read'],
  ])('of %s: %s is one, by status %d, and has %s', async (name, login, status, permission) => {
    const path = `/repos/${name}/collaborators/${login}`
    expect((await ask(path, as('ada'))).status).toBe(status)
    const { body } = await ask(`${path}/permission`, as('ada'))
    expectShape(body.user, collaboratorShape)
    expect(body).toMatchObject({ permission, role_name: permission })
  })

  test('of an unknown person are 404', async () => {
    for (const rest of ['', '/permission']) {
      expect((await ask(`${SECRET}/collaborators/none${rest}`, as('ada'))).status).toBe(404)
    }
  })
})

test('Organizations of the caller are those of the records and of the accounts file', async () => {
  for (const [login, expected] of [
    ['ada', ['forge']],
    ['carol', ['forge']],
    ['twin', ['forge']],
    ['bob', []],
  ] as const) {
    const { body } = await ask<{ login: string }[]>('/user/orgs', as(login))
    for (const each of body) expectShape(each, listedOrganizationShape)
    expect(body.map(({ login }) => login)).toEqual(expected)
  }
  expect((await ask('/user/orgs')).status).toBe(404)
})

test('Teams of a repository say what they may do there', async () => {
  const { body } = await ask<object[]>(`${SECRET}/teams`, as('ada'))
  for (const each of body) expectShape(each, repositoryTeamShape)
  expect(body).toMatchObject([{ slug: 'cooks', permission: 'push' }])
  expect((await ask('/repos/ada/notes/teams', as('ada'))).body).toEqual([])
})
