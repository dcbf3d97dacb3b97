import { describe, expect, test } from 'vitest'
import { serveArchive } from '../../../src/server/serve-archive.ts'
import { loaded } from '../../support/load.ts'
import { filesOf, KETTLE, repository, SHA, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { expectShape, repositoryShape } from '../../support/shapes.ts'

const ask = shareServer([worldRecords()], {
  accounts: accountsOf({ ada: ['repo'], bob: ['repo'], dave: ['repo'], carol: [] }),
})

describe('A repository', () => {
  test.each([
    ['ada', { admin: true, push: true, pull: true }],
    ['dave', { admin: false, push: true, pull: true }],
    ['bob', { admin: false, push: false, pull: true }],
  ])('that is private says what %s may do', async (login, permissions) => {
    const { body } = await ask('/repos/Forge/SECRET', as(login))
    expectShape(body, repositoryShape)
    expect(body).toMatchObject({ full_name: 'forge/secret', private: true, permissions })
  })

  test('that is private does not exist for others', async () => {
    for (const headers of [{}, as('carol')]) {
      expect((await ask('/repos/forge/secret', headers)).status).toBe(404)
    }
  })
})

describe('Repositories of the caller', () => {
  const names = async (login: string, query = '') =>
    (await ask<{ full_name: string }[]>(`/user/repos${query}`, as(login))).body.map(
      ({ full_name }) => full_name,
    )

  test.each([
    ['ada', '', ['ada/notes', 'forge/kettle', 'forge/secret']],
    ['ada', '?visibility=private', ['forge/secret']],
    ['ada', '?visibility=public', ['ada/notes', 'forge/kettle']],
    ['ada', '?affiliation=owner', ['ada/notes']],
    ['bob', '', ['forge/secret']],
    ['dave', '?affiliation=collaborator', []],
    ['dave', '?affiliation=collaborator,organization_member', ['forge/secret']],
    ['carol', '', ['forge/kettle']],
    ['ada', '?per_page=1&page=2', ['forge/kettle']],
  ])('%s %s', async (login, query, expected) => {
    expect(await names(login, query)).toEqual(expected)
  })

  test('are not listed for invalid parameters, and are nothing to a stranger', async () => {
    const { status, body } = await ask('/user/repos?affiliation=x&visibility=y', as('ada'))
    const faults = ['affiliation', 'visibility'].map((field) => ({
      ...{ resource: 'Repository', field, code: 'invalid' },
    }))
    expect([status, body.errors]).toEqual([422, faults])
    expect((await ask('/user/repos')).status).toBe(404)
  })
})

test('A repository has the size of its Git data and the time of its newest commit', async () => {
  const { path, database } = await loaded({
    ...filesOf({ repositories: [repository(KETTLE)] }),
    'repositories/forge/kettle.git/HEAD': 'ref: refs/heads/main\n',
    'repositories/forge/kettle.git/description': 'x'.repeat(1024),
    'repositories/forge/kettle.wiki.git/description': 'x'.repeat(5000),
  })
  const commit = `INSERT INTO commits SELECT 'forge/kettle', ?, 'tree', '[]', 'a', 'a', NULL, '+0000',
    'a', 'a', ?, '+0000', '', ''`
  database.prepare(commit).run(SHA, '2024-05-06T07:08:09Z')
  database.prepare(commit).run(SHA.replace('0', 'f'), '2024-05-06T07:08:08Z')
  const server = await serveArchive([path], { state: ':memory:' })
  try {
    const answer = await server.fetch(new Request('http://localhost/repos/forge/kettle'))
    expect(await answer.json()).toMatchObject({ size: 2, pushed_at: '2024-05-06T07:08:09Z' })
  } finally {
    await server.close()
  }
})
