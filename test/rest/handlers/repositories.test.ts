import { describe, expect, test } from 'vitest'
import { serveArchive } from '../../../src/serve/serve-archive.ts'
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
      resource: 'Repository',
      field,
      code: 'invalid',
    }))
    expect([status, body.errors]).toEqual([422, faults])
    expect((await ask('/user/repos')).status).toBe(404)
  })
})

describe('A repository by its number', () => {
  test('is the same as by its name, and does not exist for others', async () => {
    for (const name of ['forge/kettle', 'forge/secret']) {
      const { body } = await ask(`/repos/${name}`, as('ada'))
      expect((await ask(`/repositories/${body.id}`, as('ada'))).body).toEqual(body)
      const isPublic = name === 'forge/kettle'
      expect((await ask(`/repositories/${body.id}`)).status).toBe(isPublic ? 200 : 404)
    }
    for (const id of ['1', 'x', '9'.repeat(16)]) {
      expect((await ask(`/repositories/${id}`, as('ada'))).status).toBe(404)
    }
  })

  test('is cloned from this server, and has topics', async () => {
    expect((await ask('/api/v3/repos/forge/kettle')).body).toMatchObject({
      clone_url: 'http://localhost:8730/forge/kettle.git',
      html_url: KETTLE,
    })
    expect((await ask('/repos/forge/kettle/topics')).body).toEqual({ names: ['tea'] })
  })
})

describe('Repositories of people and organizations', () => {
  test.each([
    ['/users/ada/repos', undefined, ['ada/notes']],
    ['/users/forge/repos', undefined, ['forge/kettle']],
    ['/users/forge/repos', 'ada', ['forge/kettle', 'forge/secret']],
    ['/users/ada/repos?type=all', 'ada', ['ada/notes', 'forge/kettle', 'forge/secret']],
    ['/users/bob/repos?type=member', 'bob', ['forge/secret']],
    ['/users/bob/repos?type=member', undefined, []],
    ['/orgs/forge/repos', undefined, ['forge/kettle']],
    ['/orgs/forge/repos?sort=full_name&direction=desc', 'ada', ['forge/secret', 'forge/kettle']],
    ['/orgs/forge/repos?type=private', 'ada', ['forge/secret']],
    ['/orgs/forge/repos?type=public', 'ada', ['forge/kettle']],
    ['/orgs/forge/repos?type=forks', 'ada', []],
    ['/orgs/forge/repos?per_page=1&page=2&sort=full_name', 'ada', ['forge/secret']],
    ['/orgs/forge/repos?page=9', 'ada', []],
  ])('%s for %s', async (path, login, expected) => {
    const headers = login === undefined ? {} : as(login)
    const { body } = await ask<{ full_name: string }[]>(path, headers)
    for (const each of body) expectShape(each, repositoryShape)
    expect(body.map(({ full_name }) => full_name)).toEqual(expected)
  })

  test.each(['/users/nobody/repos', '/orgs/ada/repos'])('%s are not there', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })

  test.each(['/users/ada/repos', '/orgs/forge/repos'])(
    '%s are not listed for invalid parameters',
    async (path) => {
      const { status, body } = await ask(`${path}?type=x&sort=y&direction=z`)
      const faults = ['type', 'sort', 'direction'].map((field) => ({
        resource: 'Repository',
        field,
        code: 'invalid',
      }))
      expect([status, body.errors]).toEqual([422, faults])
    },
  )
})

test('A repository has the size of its Git data and the time of its newest commit', async () => {
  const { path, database } = await loaded({
    ...filesOf({ repositories: [repository(KETTLE)] }),
    'repositories/forge/kettle.git/HEAD': 'ref: refs/heads/main\n',
    'repositories/forge/kettle.git/description': 'x'.repeat(1024),
    'repositories/forge/kettle.wiki.git/description': 'x'.repeat(5000),
  })
  const commit = `INSERT INTO commits SELECT 'forge/kettle', ?, 'tree', '[]', 'a', 'a', NULL, '+0000',
    'a', 'a', ?, '+0000', '', '', NULL`
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
