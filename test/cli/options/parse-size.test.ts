import { expect, test } from 'vitest'
import { parseSize } from '../../../src/cli/options/parse-size.ts'

test.each([
  ['0', 0],
  ['500000', 500_000],
  ['1.5k', 1536],
  ['500MiB', 500 * 2 ** 20],
  ['500 MB', 500 * 2 ** 20],
  ['2g', 2 ** 31],
  ['off', Number.POSITIVE_INFINITY],
])('%s is a size', (typed, bytes) => {
  expect(parseSize('--max-size', typed)).toBe(bytes)
})

test.each(['', '-1', 'MiB', '1e9', '2 PiB', '1.', 'many'])('%j is not a size', (typed) => {
  expect(() => parseSize('--max-size', typed)).toThrow(
    `--max-size takes a size or off, not ${JSON.stringify(typed)}`,
  )
})
