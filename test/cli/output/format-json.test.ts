import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatJson } from '../../../src/cli/output/format-json.ts'
import { codePoint } from '../../support/code-point.ts'
import { write } from './write.ts'

test('json writes one row per line', () => {
  const text = write('json', {
    columns: ['a', 'b'],
    rows: [
      [1, 'x'],
      [2.5, '"'],
    ],
  })
  expect(text).toBe('[{"a":1,"b":"x"},\n {"a":2.5,"b":"\\""}]\n')
})

test('json ends its array after the last row before an error', () => {
  function* rows() {
    yield [1]
    throw new Error('too many')
  }
  const pieces: string[] = []
  expect(() => {
    for (const piece of formatJson({ columns: ['a'], rows: rows() })) pieces.push(piece)
  }).toThrow('too many')
  expect(pieces.join('')).toBe('[{"a":1}]\n')
})

test('ndjson writes one object per line', () => {
  const text = write('ndjson', { columns: ['a'], rows: [[1], [2]] })
  expect(text).toBe('{"a":1}\n{"a":2}\n')
})

test('a blob is written as sqlite-utils does', () => {
  const text = write('ndjson', { columns: ['a'], rows: [[new Uint8Array([0, 255])]] })
  expect(JSON.parse(text)).toEqual({ a: { $base64: true, encoded: 'AP8=' } })
})

test('a number that JSON lacks is null', () => {
  const text = write('ndjson', {
    columns: ['a', 'b'],
    rows: [[Number.NaN, Number.NEGATIVE_INFINITY]],
  })
  expect(text).toBe('{"a":null,"b":null}\n')
})

test('repeated column names get unused numbers', () => {
  const text = write('ndjson', { columns: ['a', 'a', 'a_2', 'a'], rows: [[1, 2, 3, 4]] })
  expect(text).toBe('{"a":1,"a_3":2,"a_2":3,"a_4":4}\n')
})

test('a column named __proto__ is a column like others', () => {
  const text = write('ndjson', { columns: ['__proto__'], rows: [[1]] })
  expect(text).toBe('{"__proto__":1}\n')
})

test('json parses to the rows', () => {
  const cell = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.integer(),
    fc.constant(null),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
      const text = write('json', { columns: ['a', 'b'], rows })
      const objects = rows.map(([a, b]) => ({ a: a === 0 ? 0 : a, b: b === 0 ? 0 : b }))
      expect(JSON.parse(text)).toEqual(objects)
    }),
  )
})
