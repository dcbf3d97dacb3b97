import { describe, expect, test } from 'vitest'
import {
  aCount,
  aFlag,
  anyOf,
  aText,
  checkArguments,
  checkOptions,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  wordsOf,
} from '../../src/base/check-arguments.ts'
import { ArchiveError } from '../../src/base/errors.ts'

/** The message about options, if any. */
function fault(given: unknown, shapes: Parameters<typeof objectOf>[0]): string | undefined {
  try {
    checkOptions(given as object, shapes as never)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveError)
    expect((error as ArchiveError).code).toBe('option-invalid')
    return (error as Error).message
  }
}

test('Options that are omitted or undefined are accepted, and so are unknown ones', () => {
  expect(fault({}, { limit: aCount })).toBeUndefined()
  expect(fault({ limit: undefined, other: null }, { limit: aCount })).toBeUndefined()
  expect(fault({ limit: Number.POSITIVE_INFINITY }, { limit: aCount })).toBeUndefined()
})

test.each([
  [null, {}, 'options: expected an object, found null'],
  [[], {}, 'options: expected an object, found an array'],
  [{ limit: -1 }, { limit: aCount }, 'limit: expected a whole number or Infinity, found -1'],
  [{ limit: 1.5 }, { limit: aCount }, 'limit: expected a whole number or Infinity, found 1.5'],
  [{ a: { b: 'x' } }, { a: objectOf({ b: aFlag }) }, 'a.b: expected true or false, found "x"'],
  [{ a: {} }, { a: objectOf({ b: aFlag }, ['b']) }, 'a.b: expected true or false, found undefined'],
  [{ a: ['x', 5] }, { a: listOf(aText) }, 'a[1]: expected a string, found 5'],
  [{ a: { x: 5 } }, { a: mapOf(aText) }, 'a.x: expected a string, found 5'],
  [{ by: 'x' }, { by: oneOf('path', 'hash') }, 'by: expected path or hash, found "x"'],
  [
    { a: 5 },
    { a: anyOf('a string or a flag', aText, aFlag) },
    'a: expected a string or a flag, found 5',
  ],
  [{ a: Symbol('x') }, { a: aText }, 'a: expected a string, found a symbol'],
  [
    { a: 'x'.repeat(101) },
    { a: aFlag },
    'a: expected true or false, found a text of 101 characters',
  ],
])('of %j it is said what was expected and found', (given, shapes, message) => {
  expect(fault(given, shapes)).toBe(message)
})

describe('For an unknown word', () => {
  const shapes = { only: wordsOf(() => ['url-broken', 'user-missing']) }

  test('the closest known word is suggested', () => {
    expect(fault({ only: ['url-brokn'] }, shapes)).toBe(
      'only[0]: expected one that is known (did you mean url-broken?), found "url-brokn"',
    )
  })

  test('nothing is guessed where none is near', () => {
    expect(fault({ only: [0] }, shapes)).toBe('only[0]: expected one that is known, found 0')
  })
})

test('Arguments must be there', () => {
  expect(() => checkArguments({ url: undefined }, { url: aText })).toThrow(
    'url: expected a string, found undefined',
  )
})
