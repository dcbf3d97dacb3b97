import { expect, test } from 'vitest'
import { DEFAULT_LIMITS, resolveLimits } from '../../src/base/limits.ts'

test('Each limit that is not given has its default', () => {
  expect(resolveLimits({ record: 1, depth: undefined } as object)).toEqual({
    ...DEFAULT_LIMITS,
    record: 1,
  })
  expect(resolveLimits()).toEqual(DEFAULT_LIMITS)
})
