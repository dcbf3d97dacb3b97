import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { Library } from '../../../src/reading/library.ts'
import {
  findProfile,
  findTraces,
  hasPersonPage,
  listPeople,
  membersOf,
} from '../../../src/reading/people/profiles.ts'
import { openIndexed } from '../../support/indexed-library.ts'
import { HOST, KETTLE, repository, user } from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

const databases = shareDatabases(
  {
    users: [user('Ada')],
    organizations: [
      {
        type: 'organization',
        url: `${HOST}/forge`,
        login: 'forge',
        description: 'Tea',
        members: [{ user: `${HOST}/lamp`, role: 'admin' }],
      },
    ],
    repositories: [repository(KETTLE)],
    issues: [{ url: `${KETTLE}/issues/1`, repository: KETTLE, user: `${HOST}/eve` }],
  },
  { users: [user('lamplighter', { url: `${HOST}/lamp` })] },
  { organizations: [{ url: `${HOST}/odd`, login: 'odd' }] },
)

function libraryOf(): Library {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return library
}

test('A person is found by login, or else by the end of their URL, in whichever database has the record', () => {
  const library = libraryOf()
  const [, store] = library.stores
  for (const login of ['lamp', 'lamplighter', 'LampLighter']) {
    expect(findProfile(library, login)).toMatchObject({
      store,
      login: 'lamplighter',
      profile: { url: `${HOST}/lamp`, kind: 'user' },
    })
  }
  expect(findProfile(library, 'forge')?.profile).toMatchObject({ kind: 'organization', bio: 'Tea' })
  expect(findProfile(library, 'nobody')).toBeUndefined()
})

test(
  'With an index a login is found in upper and lower case, and of several the first database counts',
  THOROUGH,
  () => {
    const library = openIndexed(databases.paths)
    onTestFinished(() => library.close())
    const [first, second] = library.stores
    for (const login of ['ada', 'ADA']) {
      expect(findProfile(library, login)).toMatchObject({ store: first, login: 'Ada' })
    }
    // The end of a URL, which only records have.
    expect(findProfile(library, 'lamp')).toMatchObject({ store: second, login: 'lamplighter' })
    expect(findProfile(library, 'nobody')).toBeUndefined()
  },
)

test('Bytes where a profile has texts are no texts', () => {
  const database = openDatabase(databases.paths[2] as string, { readonly: false })
  const columns = ['login', 'name', 'description', 'website', 'location', 'created_at']
  database.exec(`UPDATE organizations SET ${columns.map((name) => `${name} = x'ff00'`).join(', ')}`)
  database.close()
  const library = libraryOf()
  expect(findProfile(library, 'odd')).toMatchObject({
    login: 'odd',
    profile: { login: '', name: null, bio: null, website: null, location: null, createdAt: null },
  })
  const { rows } = listPeople(library, { offset: 0, limit: 9 })
  expect(rows).toContainEqual({ login: '', name: null, kind: 'organization' })
})

test('Who wrote something and has no record leaves traces, and has a page', () => {
  const library = libraryOf()
  expect(findTraces(library, 'eve')?.url).toBe(`${HOST}/eve`)
  expect(['Ada', 'eve', 'nobody'].map((login) => hasPersonPage(library, login))).toEqual([
    true,
    true,
    false,
  ])
})

test('Members have the login of their record in the same database, or else the end of their URL', () => {
  const [store] = libraryOf().stores
  expect(store && membersOf(store, `${HOST}/forge`)).toEqual([
    { url: `${HOST}/lamp`, login: 'lamp', role: 'admin' },
  ])
})
