import { expect, test } from 'vitest'
import { lastPart, percentDecoded, shorten } from '../../src/base/text.ts'

test.each([
  ['good%20first', 'good first'],
  ['100%', '100%'],
  ['%ff', '%ff'],
])('%s is decoded as %s', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded)
})

test('The last part of an address follows its last slash', () => {
  expect(lastPart('https://H/ada/kettle')).toBe('kettle')
  expect(lastPart('ada')).toBe('ada')
})

test('A long text is cut, and says so', () => {
  expect(shorten('kettle', 3)).toBe('ket...')
  expect(shorten('kettle', 6)).toBe('kettle')
})
