import { expect, onTestFinished, test } from 'vitest'
import {
  archivesOf,
  kindsOf,
  listEntries,
  listProblems,
} from '../../../src/reading/databases/archives.ts'
import { newestThread, threadsByMonth, totalsOf } from '../../../src/reading/databases/totals.ts'
import { Library } from '../../../src/reading/library.ts'
import { issue, KETTLE, pullRequest, repository, user } from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'

const databases = shareDatabases(
  {
    users: [user('ada'), user('bob')],
    repositories: [repository(KETTLE)],
    issues: [
      issue(`${KETTLE}/issues/1`, { created_at: '2024-05-31T23:30:00Z' }),
      // A month later, in UTC.
      issue(`${KETTLE}/issues/2`, { created_at: '2024-05-31T23:30:00-01:00' }),
      issue(`${KETTLE}/issues/3`, { created_at: 'soon' }),
    ],
  },
  {
    users: [user('eve')],
    pull_requests: [pullRequest(`${KETTLE}/pull/4`, { created_at: '2024-05-01T00:00:00Z' })],
  },
)

function libraryOf(): Library {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return library
}

test('Records of all databases are counted together', () => {
  expect(totalsOf(libraryOf())).toMatchObject({ issues: 3, pulls: 1, accounts: 3, archives: 2 })
})

test('Threads are counted by the month in UTC in which they were opened, whatever their offset', () => {
  expect(threadsByMonth(libraryOf())).toEqual([
    { month: '2024-05', issues: 1, pulls: 1 },
    { month: '2024-06', issues: 1, pulls: 0 },
  ])
})

test('The newest thread of a repository is known by time, and not by text', () => {
  const found = libraryOf().repository('forge/kettle')
  expect(found && newestThread(found)).toBe('2024-06-01T00:30:00Z')
})

test('An archive tells its kinds and entries, and a library the problems of all', () => {
  const library = libraryOf()
  const [store] = library.stores
  const [archive] = store ? archivesOf(store) : []
  if (!store || !archive) throw new Error('no archive')
  expect(kindsOf(store, archive.id)).toContainEqual({ kind: 'issues', records: 3, files: 1 })
  const [second] = listEntries(store, archive.id, { offset: 1, limit: 1 })
  expect(listEntries(store, archive.id, { offset: 0, limit: 2 })[1]).toEqual(second)
  const { total, rows } = listProblems(library, { offset: 0, limit: 1 })
  expect(rows).toHaveLength(Math.min(total, 1))
})
