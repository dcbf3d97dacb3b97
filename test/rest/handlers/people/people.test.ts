import { describe, expect, test } from 'vitest'
import { madeNumber } from '../../../../src/reading/numbers.ts'
import { drawPicture } from '../../../../src/rest/handlers/people/people.ts'
import { HOST, worldRecords } from '../../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../../support/serve-world.ts'
import { accountShape, expectShape, ownAccountShape } from '../../../support/shapes.ts'

const accounts = accountsOf({ ada: ['repo'], bob: ['repo'], newcomer: [] })
const ask = shareServer([worldRecords()], { accounts })

describe('The caller', () => {
  test('learns what only they may know', async () => {
    const { body } = await ask('/user', as('ada'))
    expectShape(body, ownAccountShape)
    expect(body).toMatchObject({
      login: 'ada',
      id: 17,
      email: 'ada@forge.example',
      public_repos: 1,
      owned_private_repos: 0,
      two_factor_authentication: false,
    })
  })

  test('is a user even if no database knows the login', async () => {
    const { body } = await ask('/user', as('newcomer'))
    expectShape(body, ownAccountShape)
    expect(body).toMatchObject({
      login: 'newcomer',
      id: madeNumber('User', `${HOST}/newcomer`),
      type: 'User',
    })
    expect((await ask('/users/newcomer')).status).toBe(200)
  })

  test('does not exist without a token', async () => {
    expect((await ask('/user')).status).toBe(404)
  })
})

describe('A person', () => {
  test('keeps the address from others', async () => {
    const { body } = await ask('/users/ada')
    expectShape(body, accountShape)
    expect(body.email).toBeNull()
    expect((await ask('/users/ada', as('ada'))).body.email).toBe('ada@forge.example')
  })

  test.each(['nobody', 'carol', 'dave'])('who did nothing does not exist: %s', async (login) => {
    expect((await ask(`/users/${login}`)).status).toBe(404)
  })

  test('who only belongs to an organization or a team is known to those who may see that', async () => {
    for (const login of ['carol', 'dave']) {
      expect((await ask(`/users/${login}`, as('ada'))).status).toBe(200)
      for (const caller of ['bob', 'newcomer']) {
        expect([login, caller, (await ask(`/users/${login}`, as(caller))).status]).toEqual([
          login,
          caller,
          404,
        ])
      }
    }
  })

  test('named ghost, for deleted accounts, has the host of the archive', async () => {
    expect((await ask('/users/ghost')).body).toMatchObject({
      login: 'ghost',
      id: 10137,
      html_url: `${HOST}/ghost`,
    })
  })

  test('is no organization, and an organization is a person', async () => {
    expect((await ask('/orgs/ada')).status).toBe(404)
    expect((await ask('/users/forge')).body).toMatchObject({ type: 'Organization' })
  })

  test('without a picture gets a drawn one, which never changes', async () => {
    const { avatar_url } = (await ask('/users/forge')).body
    const path = String(avatar_url).replace(/^http:\/\/[^/]+/, '')
    const { status, headers, body } = await ask<string>(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(body).toBe(drawPicture(/\d+/.exec(path)?.[0] ?? ''))
    expect(body).toMatch(/^<svg [^<]*(<path [^<]*\/>){2}<\/svg>$/)
    expect(headers.get('cache-control')).toContain('immutable')
    expect((await ask('/_avatars/x.svg')).status).toBe(404)
  })
})
