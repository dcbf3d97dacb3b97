import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSpace, scanElement, startScan } from '../../../src/records/json/scan-element.ts'

const NO_LIMITS = { depth: 1000, parts: 10_000, escapes: 10_000 }

/** Scans a text that comes in pieces: the outcome, and where the scan stopped. */
function scanned(text: string, { limits = {}, pieces = text.length + 1 } = {}) {
  const bytes = Buffer.from(text)
  const scan = startScan()
  for (let end = pieces; ; end += pieces) {
    const outcome = scanElement(bytes.subarray(0, end), scan, { ...NO_LIMITS, ...limits })
    if (outcome !== 'more' || end >= bytes.length) return { outcome, at: scan.at }
  }
}

describe('An element ends', () => {
  test.each([
    ['{"a":[1,2]},{}', 11],
    ['{}]', 2],
    ['"a,]\\"\\\\",1', 9],
    ['[{"}":"]"}] ,1', 12],
    ['12 ,3', 3],
    ['null]', 4],
    [',', 0],
  ])('in %s before byte %i', (text, at) => {
    expect(scanned(text)).toEqual({ outcome: 'done', at })
    for (const pieces of [1, 2, 3]) expect(scanned(text, { pieces }).at).toBe(at)
  })

  test('after any JSON, in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.constantFrom(',', ']'),
        fc.nat(5),
        (json, end, n) => {
          const at = Buffer.byteLength(json)
          expect(scanned(`${json}${end}[1]`, { pieces: n + 1 })).toEqual({ outcome: 'done', at })
        },
      ),
    )
  })
})

test.each(['{"a":1', '"abc', '"abc\\', '[[', '12', ''])('%j needs more bytes', (text) => {
  expect(scanned(text).outcome).toBe('more')
})

test.each([
  ['"a\nb",', 'a line break in a string'],
  ['"a\u0000",', 'NUL in a string'],
  ['"a" "b",', 'two strings'],
  ['"a"1,', 'a number after a string'],
  ['{"a" x},', 'a letter after a name'],
  ['<html>,', 'a web page'],
  ["'a',", 'an apostrophe'],
  ['\ufeff{},', 'a byte order mark'],
])('%j is no JSON: %s', (text) => {
  expect(scanned(text).outcome).toBe('broken')
})

describe('J2, J3: a scan stops at the limit of', () => {
  test.each([
    ['deep', { depth: 2 }, '[[1]],', '[[[1]]],'],
    ['parts', { parts: 5 }, '[1,2,3],', '[1,2,3,4],'],
    ['parts', { parts: 4 }, '{"a":1},', '{"a":[1]},'],
    ['escapes', { escapes: 2 }, '"\\n\\n",', '"\\n\\n\\n",'],
  ] as const)('%s %j: %s is within it, %s is not', (outcome, limits, within, beyond) => {
    expect(scanned(within, { limits }).outcome).toBe('done')
    expect(scanned(beyond, { limits }).outcome).toBe(outcome)
  })
})

test('JSON has four kinds of space', () => {
  const spaces = Array.from({ length: 256 }, (_, byte) => byte).filter(isSpace)
  expect(spaces).toEqual([9, 10, 13, 32])
  expect(isSpace(undefined)).toBe(false)
})
