import { expect, test } from 'vitest'
import { editJson } from '../../src/transform/edit-json.ts'

const shouted = (text: string, options = {}) =>
  editJson(text, (value) => value.toUpperCase(), options)

test('Every other character stays, such as those of numbers and white space', () => {
  expect(shouted('[ {"a": 12345678901234567890.0,"b":"x"} ]')).toBe(
    '[ {"a": 12345678901234567890.0,"b":"X"} ]',
  )
  expect(shouted('{"a": 1, "a": null}')).toBe('{"a": 1, "a": null}')
})

test('Strings are edited without their escapes', () => {
  const text = String.raw`{"a":"\u00e9\"\\","b":["\n","\\"]}`
  expect(shouted(text)).toBe(String.raw`{"a":"É\"\\","b":["\n","\\"]}`)
})

test('A string may become null', () => {
  expect(editJson('{"a":"x","b":["y"]}', () => null)).toBe('{"a":null,"b":[null]}')
})

test('Each string comes with its place', () => {
  const places: string[] = []
  editJson(
    '{"a":"1","b":["2",["3"],{"c":"4","d":{}},"5"],"e":{"f":"6"}}',
    (value, { path, name }) => {
      places.push(`${value} ${path} ${name}`)
      return value
    },
    { place: { path: 'x', name: 'x' } },
  )
  expect(places).toEqual([
    '1 x.a a',
    '2 x.b[] b',
    '3 x.b[][] b',
    '4 x.b[].c c',
    '5 x.b[] b',
    '6 x.e.f f',
  ])
})

test('Names of members are edited on request', () => {
  expect(shouted('{"a":{"b":"c"}}')).toBe('{"a":{"b":"C"}}')
  expect(shouted('{"a":{"b":"c"}}', { names: true })).toBe('{"A":{"B":"C"}}')
})

test('A text that is not JSON ends without an error', () => {
  for (const text of ['"', '{"a":"', '["\\x"]', ']]"a', '{"a"', '']) {
    expect(() => shouted(text)).not.toThrow()
  }
})

test('Any number of levels is edited', () => {
  const deep = (inner: string) => '['.repeat(100_000) + inner + ']'.repeat(100_000)
  expect(shouted(deep('"a"'))).toBe(deep('"A"'))
})
