import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareHistories } from '../../../src/git/history/compare-histories.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { crossBranches, type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { firstOfEach, THOROUGH } from '../../support/thorough.ts'

let history: GitHistory
beforeAll(async () => {
  history = await gitHistory(crossBranches)
})
afterAll(() => history.close())

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
