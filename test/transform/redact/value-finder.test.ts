import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createValueFinder } from '../../../src/transform/redact/value-finder.ts'

const find = createValueFinder(['Ada@example.org', '9.8.7.6', 'Grace Hopper', 'short'])
const found = (text: string) => find(Buffer.from(text))?.value

test.each([
  ['x ADA@EXAMPLE.ORG y', 'Ada@example.org'],
  ['?u=ada%40example.org&', 'Ada@example.org'],
  ['"ada\\u0040example.org"', 'Ada@example.org'],
  [Buffer.from('Ada@example.org').toString('base64'), 'Ada@example.org'],
  ['(grace hopper)', 'Grace Hopper'],
  ['9.8.7.6.', '9.8.7.6'],
])('%s has it', (text, value) => {
  expect(found(text)).toBe(value)
})

test.each([
  'bada@example.org',
  'ada@example.organ',
  '19.8.7.6',
  '9.8.7.65',
  '1.9.8.7.6',
  '9.8.7.6.5',
  'short',
  '',
])('%s has none', (text) => {
  expect(found(text)).toBeUndefined()
})

test('finds each of many values wherever it is', () => {
  const values = fc.uniqueArray(fc.stringMatching(/^[a-z]{6,12}$/), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(values, fc.nat(), fc.string(), (all, i, before) => {
      const value = all[i % all.length] as string
      expect(createValueFinder(all)(Buffer.from(`${before} ${value} z`))).toBeDefined()
      expect(createValueFinder(all)(Buffer.from('- 0 -'.repeat(10)))).toBeUndefined()
    }),
  )
})
