import { expect, test } from 'vitest'
import { dateInWords } from '../../../src/reading/threads/in-words.ts'

test.each([
  ['2021-05-03T12:00:00Z', '3 May 2021'],
  ['2024-12-31T23:30:00.000-02:00', '1 January 2025'],
  ['2024-02-29', '29 February 2024'],
  ['1999-11-30T00:00:00Z', '30 November 1999'],
  ['yesterday', 'yesterday'],
  ['', 'at an unknown time'],
  [null, 'at an unknown time'],
])('The date %j in words is %s', (date, words) => {
  expect(dateInWords(date)).toBe(words)
})
