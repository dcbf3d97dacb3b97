import { expect, test } from 'vitest'
import { parseDate, parsePeriod } from '../../../src/cli/options/parse-date.ts'

test.each([
  ['2024', '2024-01-01T00:00:00.000Z'],
  ['2024-05', '2024-05-01T00:00:00.000Z'],
  ['2024-05-06', '2024-05-06T00:00:00.000Z'],
  ['2024-02-29T07:08:09Z', '2024-02-29T07:08:09.000Z'],
  ['2024-05-06T07:08+02:00', '2024-05-06T05:08:00.000Z'],
])('%s is a date', (typed, expected) => {
  expect(parseDate('since', typed).toISOString()).toBe(expected)
})

test.each([
  'yesterday',
  '20245',
  '2024-5',
  '2024-00',
  '2024-02-30',
  '2024-13-01',
  '2024-05-06T07:08:09',
  '1 May 2024',
])('%s is not a date', (typed) => {
  expect(() => parseDate('since', typed)).toThrow(/^--since takes a date, not "/)
})

test.each([
  ['2023', '2023-12-31T23:59:59.999Z'],
  ['2024-02', '2024-02-29T23:59:59.999Z'],
  ['2024-12', '2024-12-31T23:59:59.999Z'],
  ['2024-05-06', '2024-05-06T23:59:59.999Z'],
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
])('until %s means the end of that period', (typed, expected) => {
  expect(parseDate('until', typed, { end: true }).toISOString()).toBe(expected)
})

test('A period may have one end', () => {
  expect(parsePeriod({ until: '2024' })).toEqual({ until: new Date('2024-12-31T23:59:59.999Z') })
  expect(parsePeriod({ since: '2024' })).toEqual({ since: new Date('2024-01-01T00:00:00Z') })
})
