import { expect, onTestFinished, test } from 'vitest'
import { type Audience, Library } from '../../src/reading/library.ts'
import { HOST, issue, KETTLE, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'

const secret = `${HOST}/forge/secret`
const databases = shareDatabases(
  {
    repositories: [repository(KETTLE)],
    issues: [issue(`${HOST}/forge/lost/issues/1`), issue(`${secret}/issues/1`)],
  },
  { repositories: [repository(KETTLE), repository(secret, { private: true })] },
)

function libraryFor(audience: Audience): Library {
  const library = Library.open(databases.paths, { audience })
  onTestFinished(() => library.close())
  return library
}

test('A repository belongs to the first database that has its record', () => {
  const library = libraryFor('all')
  expect(library.repository('forge/kettle')?.store).toBe(library.stores[0])
  expect(library.repository('FORGE/secret')?.store).toBe(library.stores[1])
})

test('A stranger sees no repository that is private, or not known to be public', () => {
  const namesFor = (audience: Audience) =>
    libraryFor(audience)
      .repositories()
      .map(({ fullName }) => fullName)
  expect(namesFor('all')).toEqual(['forge/kettle', 'forge/lost', 'forge/secret'])
  expect(namesFor('public')).toEqual(['forge/kettle'])
})
