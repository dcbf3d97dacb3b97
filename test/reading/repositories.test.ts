import { expect, test } from 'vitest'
import type { IndexedRepository } from '../../src/reading/repositories.ts'
import { HOST, issue, KETTLE, repository } from '../support/rest-world.ts'
import { shareCatalog } from '../support/serve-world.ts'

const catalog = shareCatalog([
  { issues: [issue(`${KETTLE}/issues/1`)] },
  { repositories: [repository(KETTLE), repository(`${HOST}/forge/lid`, { private: true })] },
])

test('A repository is found by name in any case, by url, number and place, and is that of the library', () => {
  const { repositories, library } = catalog().read()
  const found = repositories.findByName('FORGE/Kettle') as IndexedRepository
  expect(found).toMatchObject({ url: KETTLE, owner: 'forge', database: 1, isPrivate: false })
  expect(found).toMatchObject(library.repository('forge/kettle') ?? {})
  expect(repositories.findByUrl(KETTLE)).toEqual(found)
  expect(repositories.findByNumber(found.number)).toEqual(found)
  expect(repositories.byId(found.id)).toEqual(found)
  expect(repositories.findByUrl(`${HOST}/FORGE/kettle`)).toBeUndefined()
})
