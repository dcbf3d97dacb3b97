import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { createProblemAggregator } from '../../src/records/problem-aggregator.ts'

const tallying = () => {
  const problems: Problem[] = []
  return { problems, tally: createProblemAggregator((problem) => problems.push(problem)) }
}

describe('A tally', () => {
  test('reports what it has noted when it is flushed, in its order', () => {
    const { problems, tally } = tallying()
    tally.note('member-unknown', 'b', { record: 1 })
    tally.note('member-unknown', 'a', { record: 2 })
    expect(problems).toEqual([])
    tally.flush()
    expect(problems).toEqual([
      { code: 'member-unknown', place: { record: 1 }, message: 'b' },
      { code: 'member-unknown', place: { record: 2 }, message: 'a' },
    ])
  })

  test('reports what it has noted often once, with the first place', () => {
    const { problems, tally } = tallying()
    for (const record of [4, 5, 6]) tally.note('member-unknown', 'a', { record })
    tally.flush()
    expect(problems).toEqual([
      {
        code: 'member-unknown',
        place: { record: 4 },
        message: 'a, in 3 records; this is the first',
        times: 3,
      },
    ])
  })

  test('distinguishes equal messages with different codes', () => {
    const { problems, tally } = tallying()
    tally.note('member-unknown', 'a', {})
    tally.note('member-type', 'a', {})
    tally.flush()
    expect(problems.map(({ code }) => code)).toEqual(['member-unknown', 'member-type'])
  })

  test('begins anew after it was flushed', () => {
    const { problems, tally } = tallying()
    tally.note('member-unknown', 'a', {})
    tally.flush()
    tally.flush()
    expect(problems).toHaveLength(1)
  })

  test('holds a bounded number of problems, and counts the others', () => {
    const { problems, tally } = tallying()
    for (let i = 0; i < 1500; i++) tally.note('member-unknown', `member ${i}`, { record: i })
    tally.flush()
    expect(problems).toHaveLength(1001)
    expect(problems.at(-1)).toEqual({
      code: 'member-unknown',
      place: { record: 1000 },
      message: 'others, too many to list, in 500 records; this is the first',
      times: 500,
    })
  })
})
