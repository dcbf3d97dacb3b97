import { expect, test } from 'vitest'
import { didYouMean } from '../../../src/cli/command/did-you-mean.ts'

test('The closest word of a list is asked for', () => {
  expect(didYouMean('serch', ['query', 'search'])).toBe('Did you mean search?')
  expect(didYouMean('serch', ['query', 'search'], 'marc ')).toBe('Did you mean marc search?')
  expect(didYouMean('export', ['query', 'search'])).toBeUndefined()
})
