import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  elementsOf,
  integerOf,
  memberOf,
  textOf,
  timeOf,
  utcTimeOf,
} from '../../../../src/database/schema/facts/values.ts'
import { parseTime, toTimeOrNull } from '../../../../src/reading/times.ts'
import { THOROUGH } from '../../../support/thorough.ts'

/** The value of an expression over `v`. */
const evaluate = (expression: string, v: unknown): unknown =>
  new Sqlite(':memory:').prepare(`SELECT ${expression} FROM (SELECT ? AS v)`).pluck().get(v)

test.each([
  ['2024-05-06T07:08:09', '2024-05-06T07:08:09Z'],
  ['2024-05-06T07:08:09.750+02:00', '2024-05-06T05:08:09Z'],
  ['2024-05-06', '2024-05-06T00:00:00Z'],
  ['2024-02-30T00:00:00Z', null],
  ['now', null],
])('The time %s is %s in UTC', (text, time) => {
  expect(evaluate(utcTimeOf('v'), text)).toBe(time)
})

test('A text is a text, and an integer an integer', () => {
  expect([evaluate(textOf('v'), 'a'), evaluate(textOf('v'), Buffer.from('a'))]).toEqual(['a', null])
  expect([evaluate(integerOf('v'), 5n), evaluate(integerOf('v'), '5')]).toEqual([5, null])
})

test('Only an array has elements, and only an object members', () => {
  const names = `(SELECT group_concat(coalesce(${memberOf('e', 'name')}, '-')) FROM ${elementsOf('v', 'e')})`
  expect(evaluate(names, '[{"name":"a"},"b",{}]')).toBe('a,-,-')
  expect(['{"name":"a"}', 'a', null].map((json) => evaluate(names, json))).toEqual([
    null,
    null,
    null,
  ])
})

const digits = (length: number, last: number) =>
  fc.integer({ min: 0, max: last }).map((number) => `${number}`.padStart(length, '0'))

const fraction = fc
  .tuple(fc.constantFrom('9', '0', '5', '.'), fc.constantFrom(0, 1, 3, 9, 77, 79, 300, 400))
  .map(([digit, count]) => `.${digit.repeat(count)}`)

/** Times and what is nearly one: parts that are out of range or missing, other zones, what SQLite takes and what it cuts. */
const nearTime = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('0000', '0001', '1969', '2023', '2024', '9999', '24'),
      digits(4, 9999),
    ),
    fc.oneof(
      fc.constantFrom('-02-28', '-02-29', '-02-30', '-12-31'),
      digits(2, 14).map((n) => `-${n}-31`),
    ),
    fc.constantFrom('T', 'T', 'T', ' ', 't', 'TT', ''),
    fc.oneof(
      fc.constantFrom('00:00:00', '23:59:59', '23:59:60', '24:00:00', '12:60:00', '12:00', ''),
      fc.tuple(digits(2, 25), digits(2, 61), digits(2, 61)).map((parts) => parts.join(':')),
    ),
    fc.oneof(fc.constantFrom('', ',5'), fraction),
    fc.oneof(
      fc.constantFrom('', 'Z', 'z', ' Z', 'ZZ', ' UTC', '+0200', '+2:00', '+00:60', '-00:00'),
      fc
        .tuple(fc.constantFrom('+', '-'), digits(2, 15))
        .map(([sign, hours]) => `${sign}${hours}:59`),
    ),
    fc.constantFrom('', '', '', ' ', '\n', '\0', '\0Z'),
  )
  .map((parts) => parts.join(''))

const anyText = fc
  .array(fc.nat({ max: 0xffff }), { maxLength: 10 })
  .map((units) => String.fromCharCode(...units))

/** One of them with a character more, less or changed. */
const mistyped = fc
  .tuple(
    nearTime,
    fc.nat(30),
    fc.nat(1),
    fc.constantFrom('', '0', '9', '-', ':', 'T', '/', 'é', '\0'),
  )
  .map(([time, at, length, text]) => time.slice(0, at) + text + time.slice(at + length))

test('SQL and JavaScript agree on what is a time, and when it was', THOROUGH, () => {
  const database = new Sqlite(':memory:')
  const sql = database.prepare<[unknown], [number | null, string | null]>(
    `SELECT ${timeOf('t')}, ${utcTimeOf('t')} FROM (SELECT ? AS t)`,
  )
  const value = fc.oneof(
    { arbitrary: nearTime, weight: 6 },
    { arbitrary: mistyped, weight: 3 },
    fc.oneof(anyText, fc.integer(), fc.double(), fc.constant(null)),
  )
  const way = fc.property(value, (time) => {
    expect(sql.raw().get(time)).toEqual([parseTime(time) ?? null, toTimeOrNull(time)])
  })
  fc.assert(way, { numRuns: 5000 })
})
