import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { madeNumber, numberAtEnd, numberByRule, pictureNumber } from '../../src/reading/numbers.ts'

const URL = 'https://forge.example/forge/kettle'

test('A made number is 2⁴⁸ and the first 48 bits of the hash of type and url', () => {
  const hash = createHash('sha256').update(`Repository ${URL}`).digest()
  expect(madeNumber('Repository', URL)).toBe(2 ** 48 + hash.readUIntBE(0, 6))
})

test('Every made number is exact in JavaScript, and larger than every real one', () => {
  const way = fc.property(fc.string(), fc.string(), (type, url) => {
    const number = madeNumber(type, url)
    expect(Number.isSafeInteger(number) && number >= 2 ** 48).toBe(true)
  })
  fc.assert(way)
})

test.each([
  [`${URL}/issues/1#issuecomment-5`, 5],
  [`${URL}/issues/1#issuecomment-281474976710655`, 281474976710655],
  [`${URL}/issues/1#issuecomment-281474976710656`, undefined],
  [`${URL}/issues/1#issuecomment-0`, undefined],
  [URL, undefined],
])('At the end of %s is the number %s', (url, expected) => {
  expect(numberAtEnd(url)).toBe(expected)
})

test('Comments and reviews have the number of their url; of everything else it is made', () => {
  expect(numberByRule('IssueComment', `${URL}/issues/1#issuecomment-5`)).toBe(5)
  expect(numberByRule('Issue', `${URL}/issues/1`)).toBe(madeNumber('Issue', `${URL}/issues/1`))
})

test.each([
  ['User', 'https://avatars.example/u/17?v=4', 17],
  ['User', 'https://avatars.example/in/17?v=4', undefined],
  ['Bot', 'https://avatars.example/in/7?v=4', 7],
  ['Bot', 'https://avatars.example/u/7?v=4', 7],
  ['User', '', undefined],
])('The picture of a %s at %s has the number %s', (kind, picture, expected) => {
  expect(pictureNumber(kind, picture)).toBe(expected)
})
