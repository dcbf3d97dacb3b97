import fc from 'fast-check'
import { expect, test } from 'vitest'
import { streamJson } from '../../../src/cli/output/stream-json.ts'

test('The text is that of JSON.stringify with two spaces', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = [...streamJson(value)].join('')
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      if (!/[^ -~\n]/.test(text)) expect(text).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('An iterable is consumed while its text is written', () => {
  let taken = 0
  function* numbers() {
    while (true) yield taken++
  }
  const pieces = streamJson({ numbers: numbers() })
  for (let i = 0; i < 7; i++) pieces.next()
  expect(taken).toBeLessThan(7)
})

test('Control characters are written as escapes', () => {
  expect([...streamJson({ '\u009b': ['\u202e'] })].join('')).toBe(
    '{\n  "\\u009b": [\n    "\\u202e"\n  ]\n}',
  )
})
