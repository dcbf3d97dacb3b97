import { expect, test } from 'vitest'
import { untilSettled } from '../../../src/reading/index/index-program.ts'

test('A database that was just written is indexed when a later write would give it another time', () => {
  expect(untilSettled([1000, 995, 2000], 1000)).toBe(20)
  expect(untilSettled([1000, 985], 1015)).toBe(5)
  expect(untilSettled([1000], 1500)).toBe(0)
  expect(untilSettled([], 1500)).toBe(0)
})
