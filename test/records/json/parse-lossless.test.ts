import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Loss } from '../../../src/records/json/lossless-assembler.ts'
import {
  countMembers,
  countMembersAtMost,
  parseLossless,
} from '../../../src/records/json/parse-lossless.ts'

/** A value with the losses that were told of. */
function parsed(text: string) {
  const losses: Loss[] = []
  const value = parseLossless(text, { lose: (loss) => losses.push(loss) })
  return { value, losses }
}

describe('J4: a number prints as it was written:', () => {
  test.each([
    '1.0',
    '1e2',
    '1E+2',
    '-0',
    '0.10',
    '12345678901234567890',
    '9007199254740993',
    '1',
    '-1',
    '0',
    '123456789012345',
    '1.5',
    '-12.25',
  ])('%s, as an element, a member and alone', (number) => {
    for (const text of [number, `[${number}]`, `{"a":${number}}`, `[0,{"a":[${number}]}]`]) {
      expect(JSON.stringify(parseLossless(text))).toBe(text)
    }
  })
})

describe('A loss is reported:', () => {
  test.each<[string, Loss[]]>([
    ['{"a":1,"a":2}', [{ what: 'repeated', path: [], name: 'a', earlier: 1 }]],
    ['{"a":1,"\\u0061":2}', [{ what: 'repeated', path: [], name: 'a', earlier: 1 }]],
    ['[{"b":{"a":1,"a":2}}]', [{ what: 'repeated', path: [0, 'b'], name: 'a', earlier: 1 }]],
    ['{"b":1,"1":2}', [{ what: 'moved', path: [], names: ['b', '1'] }]],
    [
      '{"__proto__":1,"__proto__":2}',
      [{ what: 'repeated', path: [], name: '__proto__', earlier: 1 }],
    ],
  ])('%s', (text, losses) => {
    expect(parsed(text).losses).toEqual(losses)
  })

  test.each(['{"1":1,"b":2}', '{"a":":","b":"\\":"}', '[{"a":1},{"a":1}]', '{"a":{"a":1}}'])(
    'none of %s',
    (text) => {
      expect(parsed(text)).toEqual({ value: JSON.parse(text), losses: [] })
    },
  )
})

describe('J2: nesting deeper than the limit is refused, wherever it is:', () => {
  test.each([
    ['[[1]]', 2, 0],
    ['[[[1]]]', 3, 0],
    ['[{"a":{}}]', 3, 0],
    // With levels around the record, which do not count.
    ['[[[1]]]', 2, 1],
  ])('%s has %i levels within %i others', (text, levels, around) => {
    expect(parseLossless(text, { maxDepth: levels, around })).toEqual(JSON.parse(text))
    expect(() => parseLossless(text, { maxDepth: levels - 1, around })).toThrow(
      expect.objectContaining({ code: 'limit-depth', limit: { allowed: levels - 1 } }),
    )
  })

  test('even 100,000 levels, without a stack that overflows', () => {
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(() => parseLossless(text)).toThrow(expect.objectContaining({ code: 'limit-depth' }))
  })
})

test.each(['', '{', '[1,]', '{"a":1,}', "{'a':1}", '01', '1.', 'NaN', '"\n"', '[1] x'])(
  '%j is a SyntaxError, as for JSON.parse',
  (text) => {
    expect(() => parseLossless(text)).toThrow(SyntaxError)
  },
)

test('J5: an escaped name is not taken for another one that was seen before', () => {
  parseLossless('{"a":1,"\\\\":2}')
  expect(parseLossless('{"a":1,"\\n":2}')).toEqual({ a: 1, '\n': 2 })
})

describe('The number of members', () => {
  const membersOf = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : (Array.isArray(value) ? 0 : Object.keys(value).length) +
        Object.values(value).reduce((sum: number, child) => sum + membersOf(child), 0)

  test('is that of the objects, and never less by the cheap count', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const members = membersOf(JSON.parse(text))
        expect(countMembers(text)).toBe(members)
        expect(countMembersAtMost(text)).toBeGreaterThanOrEqual(members)
      }),
    )
  })

  test('counts each of several with one name', () => {
    expect(countMembers('{"a":1,"a" : 2,"b":"\\":"}')).toBe(3)
  })
})
