import { expect, test } from 'vitest'
import { audienceOf } from '../../src/serve/audience.ts'

test.each([
  [{}, undefined, 'all'],
  [{ bind: '::1' }, undefined, 'all'],
  [{}, false, undefined],
  [{ bind: '0.0.0.0' }, undefined, undefined],
  [{ bind: '0.0.0.0' }, true, 'public'],
  [{ baseUrl: 'https://a.example' }, undefined, undefined],
  [{ hostNames: ['a.example'] }, true, 'public'],
  [{ hostNames: ['x.localhost'] }, true, 'all'],
] as const)('With %j and --pages %j, pages are for %s', (options, isWanted, audience) => {
  expect(audienceOf(options, isWanted)).toBe(audience)
})
