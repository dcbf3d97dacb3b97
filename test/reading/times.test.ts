import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSeconds, parseTime, toTime, toTimeOrNull } from '../../src/reading/times.ts'

test.each([
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09Z'],
  ['2024-05-06T07:08:09.999Z', '2024-05-06T07:08:09Z'],
  ['2024-05-06T01:08:09+02:00', '2024-05-05T23:08:09Z'],
  ['2024-02-29T00:00:00.000-11:30', '2024-02-29T11:30:00Z'],
  ['2024-05-06T07:08:09', '2024-05-06T07:08:09Z'],
  ['2024-05-06', '2024-05-06T00:00:00Z'],
  ['2024-05-06T07:08:09.5', '2024-05-06T07:08:09Z'],
  [`2024-05-06T07:08:09.${'9'.repeat(78)}Z`, '2024-05-06T07:08:09Z'],
])('The time %s is %s in UTC', (text, expected) => {
  expect(toTime(text)).toBe(expected)
})

test.each([
  '2023-02-29T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-05-06T24:00:00Z',
  '2024-05-06 07:08:09Z',
  'now',
  '12:00',
  '',
  5,
  null,
  undefined,
  '0000-12-31T23:59:59Z',
  '9999-12-31T23:59:59-01:00',
  '2024-05-06T07:08:09Z\n',
  '2024-05-06T07:08:09 Z',
  '2024-05-06T07:08:09+15:00',
  '2024-05-06T07:08:09+00:60',
  `2024-05-06T07:08:09.${'9'.repeat(80)}`,
])('%j is no time', (text) => {
  expect([toTimeOrNull(text), toTime(text)]).toEqual([null, '1970-01-01T00:00:00Z'])
})

test('Any second of the years 1 to 9999 is formatted and parsed again', () => {
  const second = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })
  const way = fc.property(second, (time) => {
    expect(parseTime(formatSeconds(time))).toBe(time)
  })
  fc.assert(way)
})
