import { describe, expect, test } from 'vitest'
import '../../../src/pages/kinds/home.ts'
import '../../../src/pages/kinds/data/shown-store.ts'
import { issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const ORG = 'https://forge.example/forge'
const organization = {
  type: 'organization',
  url: ORG,
  login: 'forge',
  name: 'Forge',
  description: null,
  website: null,
  location: null,
  email: null,
  webhooks: [],
  members: [{ user: 'https://forge.example/ada', role: 'direct_member' }],
}
const team = {
  type: 'team',
  url: 'https://forge.example/orgs/forge/teams/crew',
  organization: ORG,
  name: 'Crew',
  slug: 'crew',
  description: 'Hush',
  permissions: [],
  members: [],
}
const world = {
  users: [user('ada')],
  organizations: [organization],
  teams: [team],
  repositories: [repository(KETTLE)],
  issues: [issue(`${KETTLE}/issues/1`, { created_at: '2024-05-07T00:00:00Z' })],
}
const all = sharePages([world, { users: [user('bob')] }])
const shared = sharePages([world], 'public')
const read = async ({ ask }: typeof all, address: string) => htmlOf(await ask(address))

describe('The first page', () => {
  test('says when a repository was last used, and leads to all threads and accounts', async () => {
    const html = await read(all, '/')
    expect(html).toMatch(/last opened <time datetime="2024-05-07/)
    expect(html).toContain('<a href="/-/threads"><b>1</b> issue</a>')
    expect(html).toContain('<a href="/-/people"><b>3</b> accounts</a>')
  })
})

describe('An organization', () => {
  test('has its members, and its teams once', async () => {
    const html = await read(all, '/forge')
    expect(html.match(/Crew/g)).toHaveLength(1)
    expect(html).toContain('1 member')
  })

  test('shows no people to strangers', async () => {
    const html = await read(shared, '/forge')
    expect(html).toContain('forge/kettle')
    expect(html).not.toMatch(/Crew|Hush|\bada\b/)
  })
})

describe('Of several databases', () => {
  test.each(['/-/questions', '/-/sql', '/-/schema', '/-/check', '/-/attachments'])(
    'the page %s says which it is about, and leads to the others',
    async (path) => {
      const html = await read(all, path)
      expect(html).toContain('aria-label="Databases"')
      expect(html).toContain(`href="${path}?db=1"`)
      expect(await read(all, `${path}?db=1`)).toMatch(/db=1" aria-current="true"/)
    },
  )

  test('one alone is not to be chosen', async () => {
    expect(await read(shared, '/-/threads')).not.toContain('Databases')
  })
})
