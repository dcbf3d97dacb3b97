import { describe, expect, test } from 'vitest'
import { madeNumber } from '../../../../src/reading/numbers.ts'
import { HOST, worldRecords } from '../../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../../support/serve-world.ts'
import {
  expectShape,
  listedOrganizationShape,
  teamShape,
  userShape,
} from '../../../support/shapes.ts'

const { teams, ...others } = worldRecords()
const [cooks] = teams
const COOKS = `${HOST}/orgs/forge/teams/cooks`
const SPIES = `${HOST}/orgs/forge/teams/spies`
const spies = { ...cooks, url: SPIES, name: 'Spies', privacy: 'secret', permissions: [] }

const ask = shareServer([{ ...others, teams: [cooks ?? {}, spies] }], {
  accounts: accountsOf(
    { ada: ['repo'], bob: ['repo'], carol: ['repo'], dave: ['repo'], twin: ['user'] },
    [
      {
        login: 'forge',
        sso: false,
        members: [
          { login: 'twin', role: 'member' },
          { login: 'dave', role: 'member' },
        ],
      },
    ],
  ),
})

const logins = async (path: string, headers = {}) =>
  (await ask<{ login: string }[]>(path, headers)).body.map(({ login }) => login)

describe('Members of an organization', () => {
  test('are those of its record and of the accounts file, by login, for members', async () => {
    const { body } = await ask<object[]>('/orgs/forge/members', as('carol'))
    for (const each of body) expectShape(each, userShape)
    expect(await logins('/orgs/forge/members', as('carol'))).toEqual([
      'ada',
      'carol',
      'dave',
      'twin',
    ])
    expect(await logins('/orgs/forge/members?role=admin', as('ada'))).toEqual(['ada'])
    expect(await logins('/orgs/forge/members?per_page=2&page=2', as('ada'))).toEqual([
      'dave',
      'twin',
    ])
    expect((await ask('/orgs/forge/members/carol', as('ada'))).status).toBe(204)
    expect((await ask('/orgs/forge/members/bob', as('ada'))).status).toBe(404)
    expect((await ask('/orgs/forge/members?role=odd', as('ada'))).status).toBe(422)
  })

  test.each([
    ['a stranger', {}],
    ['somebody who is none', as('bob')],
    ['a token that sees nothing private', as('twin')],
  ])('are nobody for %s', async (_who, headers) => {
    expect(await logins('/orgs/forge/members', headers)).toEqual([])
    expect((await ask('/orgs/forge/members/carol', headers)).status).toBe(404)
    expect(await logins('/users/ada/orgs', headers)).toEqual([])
  })

  test('see their organization at each other', async () => {
    const { body } = await ask<object[]>('/users/ada/orgs', as('carol'))
    for (const each of body) expectShape(each, listedOrganizationShape)
    expect(body).toMatchObject([{ login: 'forge' }])
    expect(await logins('/users/bob/orgs', as('ada'))).toEqual([])
  })
})

describe('A team', () => {
  const path = (url: string) => `/teams/${madeNumber('Team', url)}`

  test('is for members of its organization', async () => {
    const { body } = await ask(path(COOKS), as('carol'))
    expectShape(body, teamShape)
    expect(body).toMatchObject({ name: 'Cooks', privacy: 'closed' })
    for (const headers of [{}, as('bob'), as('twin')]) {
      expect((await ask(path(COOKS), headers)).status).toBe(404)
    }
  })

  test('that is secret is for those in it, and for owners of the organization', async () => {
    for (const login of ['ada', 'dave'])
      expect((await ask(path(SPIES), as(login))).status).toBe(200)
    expect((await ask(path(SPIES), as('carol'))).status).toBe(404)
  })

  test('without a record is nowhere', async () => {
    expect((await ask(path(`${HOST}/orgs/forge/teams/none`), as('ada'))).status).toBe(404)
  })
})
