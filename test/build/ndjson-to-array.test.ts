import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collect } from '../../src/base/streams.ts'
import { BRACKETS, ndjsonToArray } from '../../src/build/ndjson-to-array.ts'
import { inPiecesOf } from '../support/pieces.ts'

test('Values one after the other become one array, however they are parted and cut', async () => {
  const space = fc.constantFrom('\n', ' ', '\r\n', '\n\n \t', ',\n', ' , ')
  const value = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.array(fc.string()),
    fc.string(),
    fc.constantFrom('a\\', '"', '}\\"{', 7, null, true),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(value),
      fc.array(space, { minLength: 9, maxLength: 9 }),
      fc.option(fc.nat({ max: 4 }), { nil: undefined }),
      fc.integer({ min: 1, max: 9 }),
      async (values, spaces, indent, size) => {
        const text = values
          .map((each, i) => (i === 0 ? '' : spaces[i % 9]) + JSON.stringify(each, null, indent))
          .join('')
        const bytes = Buffer.from(text)
        const array = ndjsonToArray(inPiecesOf(bytes, size))
        const made = await collect(array.bytes)
        expect(JSON.parse(made.toString())).toEqual(JSON.parse(JSON.stringify(values)))
        expect(made.length).toBe(bytes.length + BRACKETS)
        expect(array.count()).toBe(values.length)
      },
    ),
  )
})

test('Objects without a separator are not separated, and are not JSON', async () => {
  expect((await collect(ndjsonToArray(inPiecesOf(Buffer.from('{}{}'))).bytes)).toString()).toBe(
    '[{}{}]',
  )
})
