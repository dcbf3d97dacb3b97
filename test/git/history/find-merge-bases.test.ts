import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMergeBases } from '../../../src/git/history/find-merge-bases.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { everyDay } from '../../support/thorough.ts'

let history: GitHistory

/** Both branches were merged into each other, so that two commits are equally good. */
const CROSS = `commit refs/heads/cross-a
mark :1
committer Bo <bo@forge.example> 1400000001 +0000
data 1
a
from refs/heads/topic^0

commit refs/heads/cross-b
mark :2
committer Bo <bo@forge.example> 1400000002 +0000
data 1
b
from refs/heads/topic^0

commit refs/heads/cross-a
committer Bo <bo@forge.example> 1400000003 +0000
data 1
c
from :1
merge :2

commit refs/heads/cross-b
committer Bo <bo@forge.example> 1400000004 +0000
data 1
d
from :2
merge :1

`

beforeAll(async () => {
  history = await gitHistory((directory) => {
    gitText(directory, ['fast-import', '--quiet', '--force'], CROSS)
  })
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
