import { expect, onTestFinished, test } from 'vitest'
import { Library } from '../../../src/reading/library.ts'
import { loginAt, loginsAt, urlsOfOtherLogin } from '../../../src/reading/people/logins.ts'
import { countThreads } from '../../../src/reading/threads/list-threads.ts'
import { HOST, issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'

const databases = shareDatabases({
  users: [user('Ada')],
  bots: [user('lamplighter[bot]', { url: `${HOST}/Lamp` })],
  repositories: [repository(KETTLE)],
  issues: [issue(`${KETTLE}/issues/1`, { user: `${HOST}/Lamp` })],
})

function libraryOf(): Library {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return library
}

function storeOf() {
  const [store] = libraryOf().stores
  if (!store) throw new Error('no database')
  return store
}

test('A login is that of the record, or else the end of the URL', () => {
  const urls = ['Ada', 'Lamp', 'eve'].map((end) => `${HOST}/${end}`)
  expect(loginsAt(storeOf(), urls)).toEqual(['Ada', 'lamplighter[bot]', 'eve'])
  expect(loginAt(storeOf(), null)).toBeNull()
})

test('Who has another login than the end of their URL is found by it, in upper or lower case', () => {
  const find = (login: string) => urlsOfOtherLogin(storeOf(), login)
  expect(find('Lamplighter[bot]')).toEqual([`${HOST}/Lamp`])
  expect([find('Ada'), find('Lamp')]).toEqual([[], []])
})

test('A list of threads is narrowed by either', () => {
  const library = libraryOf()
  const found = library.repository('forge/kettle')
  if (!found) throw new Error('no repository')
  const count = (author: string) => countThreads(library, found, 'issues', { author })
  expect(['lamp', 'LAMPLIGHTER[bot]', 'lamplighter'].map(count)).toEqual([1, 1, 0])
})
