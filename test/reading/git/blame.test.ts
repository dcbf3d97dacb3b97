import { expect, test } from 'vitest'
import { openRepository } from '../../../src/git/open-repository.ts'
import { blameLines } from '../../../src/reading/git/blame.ts'
import { COMMITS, ODD_FILES, ODD_RECORDS } from '../../faces/odd-repository.ts'
import { loaded } from '../../support/load.ts'
import { filesOf } from '../../support/rest-world.ts'

test('Each line of a file comes from a commit, and only those that are asked for are told', async () => {
  const { database } = await loaded({ ...filesOf(ODD_RECORDS), ...ODD_FILES })
  const repository = openRepository(database, 'old/teapot')
  const options = { rev: 'main', rangesOf: () => [{ first: 1, last: 2 }], withThreads: true }
  const lines = [...blameLines(repository, database, 'src/cook.c', options)]
  expect(lines.map(({ line, commit }) => [line, commit.oid])).toEqual([
    [1, COMMITS.last],
    [2, COMMITS.first],
  ])
  expect(lines.at(0)?.text).toBe('int boil(void) { return 98; }')
})
