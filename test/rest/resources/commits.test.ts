import { describe, expect, test } from 'vitest'
import type { Commit } from '../../../src/git/parse/parse-commit.ts'
import { addressesOf, toCommit } from '../../../src/rest/resources/commits.ts'
import { HOST, KETTLE, repository, SHA, user } from '../../support/rest-world.ts'
import { shareCatalog } from '../../support/serve-world.ts'

const catalog = shareCatalog([
  {
    users: [
      user('ada', { emails: [{ address: 'ada@forge.example' }, { address: 'Second@X' }, null] }),
      user('bob', { emails: [{ address: 'ada@forge.example' }] }),
    ],
    repositories: [repository(KETTLE, { owner: `${HOST}/ada` })],
  },
])

const rendering = () => ({
  reader: catalog().read(),
  base: 'http://h',
  origin: 'http://h',
  viewer: undefined,
})
const kettle = () => {
  const found = rendering().reader.repositories.findByName('ada/kettle')
  return found ?? rendering().reader.repositories.findByName('forge/kettle')
}
const commitBy = (email: string): Commit => {
  const person = { name: 'X', email, seconds: 0, zone: '+0000' }
  return { oid: SHA, tree: SHA, parents: [], author: person, committer: person, message: '' }
}

describe('The account of a commit is', () => {
  test.each([
    ['ADA@forge.example', 'ada'],
    ['second@x', 'ada'],
    ['17+bob@users.noreply.forge.example', 'bob'],
    ['BOB@users.noreply.forge.example', 'bob'],
    ['nobody@forge.example', undefined],
    ['', undefined],
  ])('found by its address %j: %s', (email, login) => {
    const home = kettle()
    if (!home) throw new Error('there is no repository')
    const { author } = toCommit(rendering(), home, commitBy(email))
    expect((author as { login?: string } | null)?.login).toBe(login)
    const isOf = (who: string) => addressesOf(rendering(), home, who)(email)
    expect(isOf('Bob')).toBe(login === 'bob')
    expect(isOf('ada')).toBe(login === 'ada')
    expect(isOf('second@X')).toBe(email === 'second@x')
  })
})
