import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isObject,
  isRawNumber,
  type JsonValue,
  losslessNumber,
} from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { codePoint } from '../../support/code-point.ts'
import { jsonTexts, numberTexts } from '../../support/json-texts.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

const odd = ['1.0', '1e400', '-0', '-0.0', '0.10', '1E2', '1e+2', '12345678901234567890']
const plain = ['0', '1', '-1', '1.5', '123456789012345', '9007199254740991', '1e+21', '0.000001']

describe('losslessNumber', () => {
  test.each(plain)('makes a number of %s', (text) => {
    expect(losslessNumber(text)).toBe(Number(text))
  })

  test.each(odd)('J4: keeps the text of %s', (text) => {
    const value = losslessNumber(text)
    expect(isRawNumber(value)).toBe(true)
    expect(JSON.stringify(value)).toBe(text)
  })

  test('keeps the text of any number', () => {
    fc.assert(
      fc.property(numberTexts, (text) => {
        expect(JSON.stringify(losslessNumber(text))).toBe(text)
      }),
    )
  })
})

describe('parseLossless', () => {
  test.each([...plain, ...odd])('J4: keeps the text of %s at any place', (text) => {
    for (const around of [
      '#',
      '[#]',
      '[1,#]',
      '{"a":#}',
      '{"a":[#,{"b":#}],"c":"#"}',
      '[[#],[]]',
    ]) {
      const json = around.replaceAll('#', text)
      expect(JSON.stringify(parseLossless(json))).toBe(json)
    }
  })

  test.each([
    ['{"a" : 1.0}', '{"a":1.0}'],
    ['{"a"\n:\t1.0}', '{"a":1.0}'],
    ['{"a":\r\n -0\n}', '{"a":-0}'],
    ['[ 1,\n  2.0 ]', '[1,2.0]'],
    [' \n1.0 ', '1.0'],
    ['{"\\"" :1.0}', '{"\\"":1.0}'],
  ])('keeps numbers whatever the white space: %j', (json, dense) => {
    expect(JSON.stringify(parseLossless(json))).toBe(dense)
  })

  test('prints the text it parsed, whatever that is', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        expect(JSON.stringify(parseLossless(text))).toBe(text)
      }),
      { numRuns: runs(500) },
    )
  })

  test('gives what JSON.parse gives where no number is odd', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: codePoint }), (text) => {
        const value = parseLossless(text)
        expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('leaves numbers in prose alone', () => {
    const body = 'see [1.0, 2e5], "x": 12345678901234567890, -0'
    expect(parseLossless(JSON.stringify({ body, n: 1 }))).toEqual({ body, n: 1 })
  })

  test('gives plain numbers among odd ones', () => {
    expect(parseLossless('{"a":1,"b":1.0,"c":[2,3.5]}')).toMatchObject({ a: 1, c: [2, 3.5] })
  })

  test('J5: keeps members called __proto__, constructor and valueOf', () => {
    for (const number of ['1', '1.0']) {
      const json = `{"__proto__":{"x":${number}},"constructor":1,"valueOf":{"rawJSON":"2"}}`
      expect(JSON.stringify(parseLossless(json))).toBe(json)
    }
  })

  test('J5: takes the last of two members with one name', () => {
    expect(JSON.stringify(parseLossless('{"a":1.0,"b":2,"a":3.0}'))).toBe('{"a":3.0,"b":2}')
  })

  test('J6: keeps lone surrogates and NUL', () => {
    const json = '{"body":"\\ud800 \\u0000","n":1.0}'
    expect(JSON.stringify(parseLossless(json))).toBe(json)
  })

  test.each(['', '[', '{"a":}', '[1,]', '01', '1.', 'nul', '"\n"', '[] []'])(
    'refuses %j',
    (text) => {
      expect(() => parseLossless(text)).toThrow(SyntaxError)
    },
  )

  test('allows the given number of levels; scalars have none', () => {
    expect(parseLossless('1', { maxDepth: 0 })).toBe(1)
    expect(parseLossless('[[{"a":1}]]', { maxDepth: 3 })).toEqual([[{ a: 1 }]])
    const error = expect.objectContaining({ code: 'limit-depth' })
    expect(() => parseLossless('[[{"a":1}]]', { maxDepth: 2 })).toThrow(error)
  })

  test('J2: refuses 200,000 levels without falling over', THOROUGH, () => {
    const error = expect.objectContaining({ code: 'limit-depth' })
    expect(() => parseLossless('['.repeat(200_000) + ']'.repeat(200_000))).toThrow(error)
    expect(() => parseLossless(`${'{"a":'.repeat(200_000)}1.0${'}'.repeat(200_000)}`)).toThrow(
      error,
    )
  })
})

describe('parseLossless, of names', () => {
  test('distinguishes escaped names, which JSON.parse of Node.js 24 confuses', () => {
    expect(Object.keys(parseLossless(String.raw`{"a":1,"\\":2}`) as object)).toEqual(['a', '\\'])
    expect(Object.keys(parseLossless(String.raw`{"a":1,"\n":2}`) as object)).toEqual(['a', '\n'])
  })
})

describe('isObject', () => {
  test.each<[JsonValue | undefined, boolean]>([
    [{}, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['', false],
    [1, false],
    [losslessNumber('1.0'), false],
  ])('of %j is %j', (value, expected) => {
    expect(isObject(value)).toBe(expected)
  })
})
