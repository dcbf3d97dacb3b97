import { expect, test } from 'vitest'
import { createPatternFinder } from '../../src/transform/find-patterns.ts'

const find = createPatternFinder([
  { pattern: /@[a-z]/i, signs: '@' },
  { pattern: /(?<=\d)\.\d|\.\.\./, signs: '.' },
  { pattern: /\xe2\x80\x8b/, signs: '\xe2' },
])
const placesIn = (text: string) => {
  const bytes = Buffer.from(text)
  return find(bytes, bytes.toString('latin1'))
}

test('Finds where any of the patterns matches, in rising order, with what stands before a sign', () => {
  expect(placesIn('1.2 @A .3 ... @1 \u200b @b')).toEqual([1, 4, 10, 17, 21])
})

test('Matches may overlap', () => {
  expect(placesIn('1.2.3')).toEqual([1, 3])
})
