import { expect, test } from 'vitest'
import { createRateLimit } from '../../src/http/rate-limit.ts'

test('A caller has never used more requests than the limit, which is not enforced', () => {
  const rateLimit = createRateLimit(undefined, () => 0)
  for (let i = 0; i < 100; i++) rateLimit.count('stranger')
  expect(rateLimit.quota('stranger', true, new Date(0))).toMatchObject({
    limit: 60,
    used: 60,
    remaining: 1,
  })
})
