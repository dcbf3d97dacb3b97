import { describe, expect, test } from 'vitest'
import { columnOf, rowsOf } from '../../../support/load.ts'
import { sharedTablesWith } from '../../../support/tables.ts'

const at = (login: string) => `https://H/${login}`
const forge = at('forge')
const kettle = `${forge}/kettle`
const cooks = 'https://H/orgs/forge/teams/cooks'

describe('The view people', () => {
  test('has one person for a URL: a user before a bot, a bot before an organization', () => {
    const database = sharedTablesWith({
      users: [{ url: at('a'), login: 'a' }],
      bots: [
        { url: at('a'), login: 'a' },
        { url: at('b'), login: 'b' },
      ],
      organizations: [
        { url: at('a'), login: 'a' },
        { url: at('b'), login: 'b' },
        { url: at('c'), login: 'c', description: 'Teapots' },
      ],
    })
    expect(rowsOf(database, 'SELECT login, kind, bio FROM people')).toEqual([
      ['a', 'user', null],
      ['b', 'bot', null],
      ['c', 'organization', 'Teapots'],
    ])
  })
})

describe('The view members', () => {
  const members = [
    { user: at('ada'), role: 'direct_member' },
    { user: at('ada'), role: 'admin' },
    { user: at('bob'), role: 'direct_member' },
    { role: 'admin' },
    'odd',
  ]

  test('has each member of an organization once, with the higher role', () => {
    const database = sharedTablesWith({
      users: [{ url: at('bob'), login: 'Bob' }],
      organizations: [{ url: forge, members }],
    })
    expect(rowsOf(database, 'SELECT organization, team, user_login, role FROM members')).toEqual([
      [forge, null, 'ada', 'admin'],
      [forge, null, 'Bob', 'member'],
    ])
  })

  test('has none of an organization whose URL is that of a user', () => {
    const organizations = [{ url: forge, members }]
    const database = sharedTablesWith({ users: [{ url: forge }], organizations })
    expect(rowsOf(database, 'SELECT * FROM members')).toEqual([])
  })

  test('has the members of a team', () => {
    const database = sharedTablesWith({
      teams: [
        { url: cooks, organization: forge, members: [{ user: at('ada'), role: 'maintainer' }] },
      ],
    })
    expect(rowsOf(database, 'SELECT * FROM members')).toEqual([
      [forge, cooks, at('ada'), 'ada', 'maintainer'],
    ])
  })

  test('has nobody by a list that is no JSON', () => {
    const database = sharedTablesWith({ organizations: [{ url: forge }] })
    database.exec("UPDATE organizations SET members = '[{'")
    expect(rowsOf(database, 'SELECT * FROM members')).toEqual([])
  })
})

describe('The view permissions', () => {
  const permissionsOf = (records: Parameters<typeof sharedTablesWith>[0]) =>
    rowsOf(
      sharedTablesWith(records),
      'SELECT user_login, permission, source FROM permissions ORDER BY user_login, source',
    )

  test('lets the owner of a repository do everything, unless it is an organization', () => {
    const repositories = [
      { url: at('ada/notes'), owner: at('ada') },
      { url: kettle, owner: forge },
    ]
    expect(permissionsOf({ repositories, organizations: [{ url: forge }] })).toEqual([
      ['ada', 'admin', 'owner'],
    ])
  })

  test.each([
    ['admin', 'admin'],
    ['write', 'push'],
    ['read', 'pull'],
    [undefined, 'pull'],
    ['none', undefined],
  ])('With the privilege %j a member of the organization may %s', (word, permission) => {
    const organization = {
      url: forge,
      members: [
        { user: at('ada'), role: 'admin' },
        { user: at('bob'), role: 'direct_member' },
      ],
      ...(word && { member_privileges: { default_repository_permission: word } }),
    }
    expect(
      permissionsOf({
        organizations: [organization],
        repositories: [{ url: kettle, owner: forge }],
      }),
    ).toEqual([
      ['ada', 'admin', 'organization'],
      ...(permission ? [['bob', permission, 'organization']] : []),
    ])
  })

  test('takes the higher of the role and the access of a team, also for a repository without a record', () => {
    const teams = [
      {
        url: cooks,
        organization: forge,
        members: [{ user: at('ada'), role: 'member' }],
        permissions: [
          { repository: `${forge}/a`, access: 'pull', role: 'maintain' },
          { repository: `${forge}/b`, access: 'admin' },
          { repository: `${forge}/c`, access: 'odd' },
        ],
      },
    ]
    const database = sharedTablesWith({ teams })
    const sql = 'SELECT repository, permission, role, team FROM permissions'
    expect(rowsOf(database, sql)).toEqual([
      [`${forge}/a`, 'push', 'maintain', cooks],
      [`${forge}/b`, 'admin', 'admin', cooks],
    ])
  })

  test('has the collaborators of a repository', () => {
    const collaborators = [
      { user: at('ada'), permission: 'triage' },
      { user: at('bob'), permission: 'everything' },
    ]
    expect(permissionsOf({ repositories: [{ url: kettle, collaborators }] })).toEqual([
      ['ada', 'pull', 'collaborator'],
    ])
  })
})

test('A login is that of the record, or else the end of the URL', () => {
  const database = sharedTablesWith({
    bots: [{ url: at('lamp[bot]'), login: 'lamplighter[bot]' }],
    organizations: [{ url: forge, members: ['lamp[bot]', 'ada'].map((l) => ({ user: at(l) })) }],
  })
  expect(columnOf(database, 'SELECT user_login FROM members ORDER BY user')).toEqual([
    'ada',
    'lamplighter[bot]',
  ])
})
