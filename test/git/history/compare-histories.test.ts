import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareHistories } from '../../../src/git/history/compare-histories.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { firstOfEach, THOROUGH } from '../../support/thorough.ts'

let history: GitHistory
beforeAll(async () => {
  history = await gitHistory((directory) => {
    gitText(directory, ['fast-import', '--quiet', '--force'], CROSS)
  })
})
afterAll(() => history.close())

/** Both branches were merged into each other; the dates of one go backwards. */
const CROSS = `commit refs/heads/cross-a
mark :1
committer Bo <bo@forge.example> 1400000001 +0000
data 1
a
from refs/heads/topic^0

commit refs/heads/cross-b
mark :2
committer Bo <bo@forge.example> 1300000002 +0000
data 1
b
from refs/heads/topic^0

commit refs/heads/cross-a
committer Bo <bo@forge.example> 1300000003 +0000
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

describe('Two histories are compared as the git program does', () => {
  const [[first], [others]] = firstOfEach(
    [
      ['main', 'topic'],
      ['topic', 'main'],
      ['main', 'octopus'],
      ['octopus', 'main'],
      ['main~3', 'refs/pull/7/head'],
      ['v1.0', 'main'],
      ['cross-a', 'cross-b'],
      ['cross-b', 'cross-a'],
      ['main', 'main'],
      ['main', 'other-root'],
    ] as const,
    ([, after]) => (/topic$|octopus$|other-root/.test(after) ? after : 'other'),
  )
  const compare = (before: string, after: string) => {
    const { directory, database } = history
    const linesOf = (args: string[]) => {
      const text = gitText(directory, args).trim()
      return text === '' ? [] : text.split('\n').toSorted()
    }
    const { objects, resolve } = openRepository(database, 'ada/kettle')
    const { bases, ahead, behind } = compareHistories(
      objects,
      resolve(before, 'commit'),
      resolve(after, 'commit'),
    )
    expect(ahead.toSorted()).toEqual(linesOf(['rev-list', `${before}..${after}`]))
    expect(behind).toBe(linesOf(['rev-list', `${after}..${before}`]).length)
    // The program fails if there is none.
    const theirs =
      before === 'main' && after === 'other-root'
        ? []
        : linesOf(['merge-base', '--all', before, after])
    expect(bases.toSorted()).toEqual(theirs)
  }
  test.each(first)('%s and %s', compare)
  test.each(others)('%s and %s', THOROUGH, compare)
})
