import { expect, test } from 'vitest'
import {
  asInteger,
  asIntegerOrNull,
  asList,
  asObject,
  asText,
  parseJson,
} from '../../src/reading/values.ts'

test('A value of another type than the column should have is none', () => {
  expect([asText(7), asInteger('7'), asIntegerOrNull(2 ** 60), asIntegerOrNull(1.5)]).toEqual([
    '',
    0,
    null,
    null,
  ])
})

test('A column of JSON that is cut off, or something else, has no elements and no members', () => {
  expect([asList('[1,'), asList('{}'), asList(null)]).toEqual([[], [], []])
  expect([asObject([]), asObject(null), asObject('{}')]).toEqual([{}, {}, {}])
  expect([parseJson('['), parseJson(7)]).toEqual([undefined, undefined])
})
