import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pullRequestRange } from '../../../src/git/history/pull-request-range.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'

let history: GitHistory
beforeAll(async () => {
  history = await gitHistory()
})
afterAll(() => history.close())

const GONE = '0'.repeat(40)
const oid = (revision: string) => gitText(history.directory, ['rev-parse', revision]).trim()
const rangeOf = (base: string, head: string, merge?: string) => {
  const { objects } = openRepository(history.database, 'ada/kettle')
  return pullRequestRange(objects, { base, head, merge })
}

describe('The commits of a pull request are', () => {
  test('those since it left its base, newest first', () => {
    expect(rangeOf(oid('main'), oid('refs/pull/7/head'))).toEqual({
      base: oid('v1.0~1'),
      head: oid('refs/pull/7/head'),
      commits: [oid('refs/pull/7/head')],
    })
  })

  test('those before its merge, if its base has them by now or is gone', () => {
    const merge = gitText(history.directory, ['rev-list', '--merges', '--reverse', 'main'])
    const first = merge.split('\n')[0] ?? ''
    const expected = {
      base: oid('v1.0~1'),
      head: oid('topic'),
      commits: [oid('topic'), oid('topic~1')],
    }
    for (const base of [oid('main'), GONE]) {
      expect(rangeOf(base, oid('topic'), first)).toEqual(expected)
    }
  })

  test('those of its own history, if it shares none with its base', () => {
    expect(rangeOf(oid('main'), oid('other-root'))).toMatchObject({
      base: undefined,
      commits: [oid('other-root')],
    })
  })

  test('unknown, if its head is gone or the base has all of them', () => {
    expect(rangeOf(oid('main'), GONE)).toBeUndefined()
    expect(rangeOf(GONE, oid('topic'))).toBeUndefined()
    expect(rangeOf(oid('main'), oid('topic'), GONE)).toBeUndefined()
  })
})
