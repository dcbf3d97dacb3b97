import { expect, test } from 'vitest'
import { createRateLimit } from '../../src/http/rate-limit.ts'

test('A caller has used all but the last request of a limit that is not enforced', () => {
  const rateLimit = createRateLimit(undefined, () => 0)
  for (let i = 0; i < 100; i++) rateLimit.count('stranger')
  expect(rateLimit.quota('stranger', true, new Date(0))).toMatchObject({
    limit: 60,
    used: 59,
    remaining: 1,
  })
})

test('What is used and what remains are the limit together, however many requests were sent', () => {
  for (const limits of [undefined, { callers: 3, strangers: 3 }]) {
    const rateLimit = createRateLimit(limits, () => 0)
    for (let sent = 0; sent < 70; sent++) {
      const { limit, used, remaining } = rateLimit.quota('stranger', true, new Date(0))
      expect(used + remaining).toBe(limit)
      rateLimit.count('stranger')
    }
  }
})
