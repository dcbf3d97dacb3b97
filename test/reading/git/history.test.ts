import { expect, test } from 'vitest'
import type { Commit } from '../../../src/git/parse/parse-commit.ts'
import { CommitList } from '../../../src/reading/git/history.ts'

function* commits(end: number) {
  for (let i = 0; i < end; i++) yield { oid: String(i).padStart(40, '0') } as unknown as Commit
}

test('A list of commits goes as far as it is asked to, and keeps what it found', async () => {
  const list = new CommitList(commits(20_000))
  await Promise.all([list.reach(1, 100), list.reach(15_000, 100)])
  expect([list.count, list.isOpen(100)]).toEqual([15_000, true])
  expect(list.oids(14_999, 5)).toEqual(['14999'.padStart(40, '0')])
  await list.reach(Number.POSITIVE_INFINITY, 100)
  // However far others went, no page says anything else than before.
  expect([list.count, list.isOpen(100), list.isCut]).toEqual([20_000, true, false])
})

test('A list that is no longer than is counted has an end, whatever is asked for', async () => {
  const list = new CommitList(commits(100))
  await list.reach(1, 100)
  expect([list.count, list.isOpen(100)]).toEqual([100, false])
})
