import { expect, test } from 'vitest'
import { lineRangesOf } from '../../../src/cli/options/line-ranges.ts'

test.each([
  [['3,5'], [[3, 5]]],
  [['3'], [[3, 10]]],
  [['3,'], [[3, 10]]],
  [[',4'], [[1, 4]]],
  [['3,+2'], [[3, 4]]],
  [['5,-2'], [[4, 5]]],
  [['2,-9'], [[1, 2]]],
  [['5,3'], [[3, 5]]],
  [['9,99'], [[9, 10]]],
  [
    ['6,7', '1,2', '3,4', '7,8'],
    [
      [1, 4],
      [6, 8],
    ],
  ],
])('-L %j names the lines %j of ten', (typed, expected) => {
  const ranges = lineRangesOf(typed, 'f', 10)?.map(({ first, last }) => [first, last])
  expect(ranges).toEqual(expected)
})

test('Without -L all lines are meant', () => {
  expect(lineRangesOf(undefined, 'f', 10)).toBeUndefined()
})

test.each([
  ['', 'takes line numbers'],
  [',', 'takes line numbers'],
  ['/boil/,+3', 'takes line numbers'],
  ['1,2,3', 'takes line numbers'],
  ['3,+', 'takes line numbers'],
  ['0', 'counts lines from 1'],
  ['1,+0', 'counts lines from 1'],
  ['11', 'has only 10 lines'],
])('-L %j is refused', (typed, message) => {
  expect(() => lineRangesOf([typed], 'f', 10)).toThrow(message)
})
