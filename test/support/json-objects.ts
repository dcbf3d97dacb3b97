/** Arbitrary JSON objects as this package holds them, odd in every way that JSON allows. */

import fc from 'fast-check'
import { type JsonObject, type JsonValue, losslessNumber } from '../../src/records/json/json.ts'
import { codePoint } from './code-point.ts'
import { numberTexts } from './json-texts.ts'

/** Texts of single UTF-16 units, so that halves of surrogate pairs stand alone. */
const brokenTexts = fc
  .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 5 })
  .map((units) => String.fromCharCode(...units))

const strings = fc.oneof(
  fc.string({ unit: codePoint }),
  brokenTexts,
  fc.constantFrom('', '\0', 'a\0b', '\ud800', '\ufeff', 'issue', '{"a":1}', "'; DROP TABLE issues"),
)

const oddNames = [
  '',
  '__proto__',
  'constructor',
  'valueOf',
  'toJSON',
  'rawJSON',
  'type',
  'url',
  'Url',
  'URL',
  'TYPE',
  '_extra',
  '_member_order',
  '_archive',
  'rowid',
  'number',
  '1',
  '"',
  'a.b',
]
const names = fc.oneof(fc.string(), brokenTexts, fc.constantFrom(...oddNames, '\\', '\n'))

const json = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, false),
    strings,
    numberTexts.map(losslessNumber),
    fc.constantFrom('0', '1', '-0', '1.0', '1e400', '9007199254740993').map(losslessNumber),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: objectsOf(names, tie('value')),
}))

/** Any JSON value. */
export const jsonValues: fc.Arbitrary<JsonValue> = json.value

/** Any JSON object. */
export const jsonObjects: fc.Arbitrary<JsonObject> = json.object

/** Objects with some of these members, in any order. */
export const objectsWith = (members: readonly string[]): fc.Arbitrary<JsonObject> =>
  objectsOf(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...members) }, names), jsonValues)

function objectsOf(
  names: fc.Arbitrary<string>,
  values: fc.Arbitrary<JsonValue>,
): fc.Arbitrary<JsonObject> {
  // Unlike assignment, Object.fromEntries takes __proto__ for a name like any other.
  return fc.array(fc.tuple(names, values), { maxLength: 12 }).map(Object.fromEntries)
}
