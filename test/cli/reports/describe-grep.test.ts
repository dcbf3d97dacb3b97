import { expect, test } from 'vitest'
import { describeFound } from '../../../src/cli/reports/describe-grep.ts'

const file = {
  repository: 'ada/kettle',
  path: 'a\x1b',
  lines: ['a', 'b\r', 'c', 'd', 'e\x1b'],
  found: [1, 4],
}
const io = { stdout: { isTTY: false }, env: {} } as never
const shown = (...given: [before: number, after: number]) =>
  [...describeFound([file], 'lines', { before: given[0], after: given[1] }, io)]
    .join('')
    .replaceAll('ada/kettle:a\\x1b', '')

test('Groups of lines around matches are separated, and are one where they touch', () => {
  expect(shown(0, 1)).toBe(':2:b\n-3-c\n--\n:5:e\\x1b\n')
  expect(shown(1, 1)).toBe('-1-a\n:2:b\n-3-c\n-4-d\n:5:e\\x1b\n')
  expect(shown(9, 9)).toBe('-1-a\n:2:b\n-3-c\n-4-d\n:5:e\\x1b\n')
})
