/** Arbitrary JSON by its text, for what must keep even how a number is written. */

import fc from 'fast-check'
import { codePoint } from './code-point.ts'

const digits = fc.stringMatching(/^[0-9]{1,22}$/)
const integer = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,22}$/))

/** A number in any way that JSON allows. */
export const numberTexts: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    integer,
    fc.option(digits, { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/), { nil: undefined }),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [sign, whole, fraction === undefined ? '' : `.${fraction}`, exponent ?? ''].join(''),
  )

// Prose is full of what looks like JSON.
const prose = fc
  .array(
    fc.oneof(
      numberTexts,
      fc.string({ unit: codePoint }),
      fc.constantFrom(
        '"',
        '\\',
        ',',
        '[',
        ']',
        '{',
        '}',
        ':',
        '": ',
        ' ',
        '\n',
        '\u0000',
        '\ud800',
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const names = fc.oneof(prose, fc.constantFrom('url', '__proto__', 'constructor', 'toString'))

// Names that look like an index come first in a JavaScript object, wherever they stood.
const isIndex = (name: string) => /^(0|[1-9]\d*)$/.test(name)

const texts = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    numberTexts,
    prose.map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null'),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }).map((elements) => `[${elements.join(',')}]`),
  object: fc
    .uniqueArray(
      fc.tuple(
        names.filter((name) => !isIndex(name)),
        tie('value'),
      ),
      {
        selector: ([name]) => name,
        maxLength: 5,
      },
    )
    .map((members) => members.map(([name, value]) => `${JSON.stringify(name)}:${value}`))
    .map((members) => `{${members.join(',')}}`),
}))

/** Any JSON without white space, as `JSON.stringify` writes it but for numbers, which are in any form. */
export const jsonTexts: fc.Arbitrary<string> = texts.value

/** The same, always an array. */
export const jsonArrayTexts: fc.Arbitrary<string> = texts.array
