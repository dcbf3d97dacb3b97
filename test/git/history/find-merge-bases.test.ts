import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMergeBases } from '../../../src/git/history/find-merge-bases.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { crossBranches, type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { everyDay } from '../../support/thorough.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory(crossBranches)
})
afterAll(() => history.close())

const ours = (...revisions: [string, ...string[]]) =>
  findMergeBases(openRepository(history.database, 'ada/kettle'), revisions)

describe('Merge bases are those of the git program', () => {
  everyDay(3)([
    ['main', 'topic'],
    ['main', 'octopus'],
    ['main~3', 'refs/pull/7/head'],
    ['v1.0', 'main'],
    ['cross-a', 'cross-b'],
    ['main', 'main'],
    ['main', 'topic', 'refs/pull/7/head'],
    ['refs/pull/7/head', 'main~3', 'cross-b'],
    ['cross-a', 'main', 'octopus'],
  ] as const)('of %s and %s', (one, ...others) => {
    const theirs = gitText(history.directory, ['merge-base', '--all', one, ...others])
    expect(ours(one, ...others)).toEqual(theirs.trim().split('\n').toSorted())
  })

  test('of unrelated histories: none', () => {
    expect(ours('main', 'other-root')).toEqual([])
  })
})

test('A revision that is not there is refused with its name', () => {
  expect(() => ours('main', 'nowhere')).toThrow(
    expect.objectContaining({ code: 'git-revision-not-found' }),
  )
})
