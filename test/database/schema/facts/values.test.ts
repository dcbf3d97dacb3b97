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
import { parseTime } from '../../../../src/reading/times.ts'

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

/** Texts that are nearly times. */
const nearTime = fc
  .tuple(
    fc.constantFrom('0000', '0001', '1969', '2023', '2024', '9999', '24'),
    fc.constantFrom('-02-28', '-02-29', '-02-30', '-12-31', '-13-01', '-00-10'),
    fc.constantFrom('T', ' ', 't', ''),
    fc.constantFrom('00:00:00', '23:59:59', '24:00:00', '12:60:00', '12:00:60', '12:00', ''),
    fc.constantFrom('', '.', '.5', '.9999999', ',5'),
    fc.constantFrom('', 'Z', 'z', ' Z', '+02:00', '-14:59', '+15:00', '+0200', 'Z ', '\0'),
  )
  .map((parts) => parts.join(''))

test('SQL and JavaScript agree on what is a time, and when it was', () => {
  const database = new Sqlite(':memory:')
  const sql = database.prepare<[unknown], number | null>(
    `SELECT ${timeOf('t')} FROM (SELECT ? AS t)`,
  )
  const value = fc.oneof(nearTime, fc.string(), fc.integer(), fc.constant(null))
  const way = fc.property(value, (time) => {
    expect(sql.pluck().get(time)).toBe(parseTime(time) ?? null)
  })
  fc.assert(way, { numRuns: 2000 })
})
