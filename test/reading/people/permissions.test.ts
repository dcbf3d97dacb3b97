import { describe, expect, onTestFinished, test } from 'vitest'
import type { Viewer } from '../../../src/reading/people/viewer.ts'
import type { IndexedRepository } from '../../../src/reading/repositories.ts'
import { worldRecords } from '../../support/rest-world.ts'
import { shareCatalog } from '../../support/serve-world.ts'

const catalog = shareCatalog([worldRecords()])
const reader = () => catalog().read()
const named = (name: string) => reader().repositories.findByName(name) as IndexedRepository

const viewer = (login: string, ...scopes: string[]): Viewer => ({ login, scopes })

describe('A permission in a private repository', () => {
  const permissionOf = (who: Viewer) =>
    reader().permissions.permissionOf(who, named('forge/secret'))

  test.each([
    ['an administrator of the organization', viewer('ada', 'repo'), 'admin'],
    ['a member of the organization, who may read by default', viewer('Carol', 'repo'), 'pull'],
    ['a collaborator', viewer('bob', 'repo'), 'pull'],
    ['a member of a team', viewer('dave', 'repo'), 'push'],
    ['somebody else', viewer('twin', 'repo'), undefined],
    ['a token without the scope', viewer('ada', 'user'), undefined],
    ['a stranger', undefined, undefined],
  ])('of %s', (_, who, expected) => {
    expect(permissionOf(who)).toBe(expected)
  })

  test('of a member by the accounts file follows from the role there', () => {
    const organization = (role: 'admin' | 'member') => ({
      accounts: [],
      organizations: [{ login: 'forge', sso: false, members: [{ login: 'twin', role }] }],
    })
    onTestFinished(() => catalog().useAccounts({ accounts: [], organizations: [] }))
    catalog().useAccounts(organization('member'))
    expect(permissionOf(viewer('twin', 'repo'))).toBe('pull')
    expect(reader().permissions.repositoriesOf('twin', ['organization_member'])).toHaveLength(2)
    catalog().useAccounts(organization('admin'))
    expect(permissionOf(viewer('twin', 'repo'))).toBe('admin')
  })
})

test.each([
  ['owner', 'ada', ['ada/notes']],
  ['collaborator', 'bob', ['forge/secret']],
  ['organization_member', 'ada', ['forge/kettle', 'forge/secret']],
  ['organization_member', 'dave', ['forge/secret']],
] as const)('Repositories by affiliation %s of %s', (affiliation, login, expected) => {
  const ids = reader().permissions.repositoriesOf(login, [affiliation])
  expect(ids.map((id) => reader().repositories.byId(id)?.fullName).sort()).toEqual(expected)
})
