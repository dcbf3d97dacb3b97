import { expect, test } from 'vitest'
import { contextOf } from '../../../src/cli/options/patch-options.ts'

test('--unified takes a number of lines', () => {
  expect([contextOf(undefined), contextOf('0'), contextOf('12')]).toEqual([undefined, 0, 12])
  for (const typed of ['', '-1', 'x', '1.5', '99999999']) {
    expect(() => contextOf(typed)).toThrow('--unified takes a number of lines')
  }
})
