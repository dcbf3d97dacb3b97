import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/records/json.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { RecordScanner } from '../../src/records/scan-records.ts'
import { listOf } from '../support/entries.ts'
import { jsonTexts } from '../support/json-texts.ts'
import { inPiecesOf } from '../support/pieces.ts'

const scan = (array: string | Buffer, depth = 512) =>
  new RecordScanner().scan(Buffer.from(array as string), depth)

const ASKED = ['type', 'url', 'created_at', 'user', 'repository', 'issue', 'pull_request'] as const

/** What is asked of records that were parsed. */
const askedOf = (records: readonly JsonObject[]) =>
  records.map((record) =>
    Object.fromEntries(ASKED.map((member) => [member, record[member] ?? undefined])),
  )

describe('Records looked through by their bytes', () => {
  test('give what a survey asks, however they are laid out', () => {
    const issue = {
      type: 'issue',
      url: 'https://H/o/r/issues/1',
      user: 'https://H/zoë',
      body: 'a "b"\r\n\\',
    }
    const comment = {
      labels: [{ url: 'x' }, [], {}, 'type', -1, 0, 123456789012345, true, false, null],
      issue: issue.url,
    }
    const records = [issue, { ...comment, pull_request: null, created_at: '2020-01-01' }, {}]
    for (const space of [undefined, 2, '\t', ' \r\n']) {
      expect(scan(` ${JSON.stringify(records, null, space)}\n`)).toEqual(
        askedOf(records as JsonObject[]),
      )
    }
    expect(scan('[ ]')).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['no array', '{"url":"a"}'],
    ['an element that is no object', '[{}, "url"]'],
    ['a byte order mark', '\ufeff[{}]'],
    ['something after the array', '[{}] []'],
    ['a comma too many', '[{},]'],
    ['a comma too many in an object', '[{"a":1,}]'],
    ['no comma', '[{"a":1 "b":2}]'],
    ['no colon', '[{"a" 1}]'],
    ['a name without quotes', '[{a:1}]'],
    ['another bracket', '[{"a":[1}]'],
    ['a line break in a text', '[{"a":"b\nc"}]'],
    ['an unknown escape', String.raw`[{"a":"\x"}]`],
    ['an escape cut short', String.raw`[{"a":"\u00e"}]`],
    ['a word that JSON lacks', '[{"a":nul1}]'],
    ['a leading zero', '[{"a":01}]'],
    ['no digits', '[{"a":-}]'],
  ])('are not plain with %s', (_title, array) => {
    expect(scan(array)).toBeUndefined()
    expect(() => JSON.parse(array).map((element: object) => 'url' in element)).toThrow()
  })

  test.each([
    ['two members of one name', '{"a":1,"b":{"a":2},"a":3}'],
    ['two members of one name within', '{"b":[{"a":1,"c":{"a":0},"a":3}]}'],
    ['an escape in a name', String.raw`{"\u0061":1}`],
    ['a name that begins with a digit', '{"7":1}'],
    ['a fraction', '{"a":1.0}'],
    ['an exponent', '{"a":1e2}'],
    ['minus zero', '{"a":-0}'],
    ['sixteen digits', '{"a":1234567890123456}'],
    ['a type that is no text', '{"type":1}'],
    ['a url that is written with escapes', String.raw`{"url":"https:\/\/H"}`],
    ['nesting', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`],
  ])('are not plain, though valid, with %s', (_title, record) => {
    expect(scan(`[${record}]`)).toBeUndefined()
    expect(() => JSON.parse(record)).not.toThrow()
  })

  test('J2: nested deeper than they may be are not plain', () => {
    expect(scan('[{"a":[{}]}]', 3)).toHaveLength(1)
    expect(scan('[{"a":[{}]}]', 2)).toBeUndefined()
  })

  test('are not plain where more names are used than are told apart', () => {
    const names = (count: number) =>
      JSON.stringify([Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i]))])
    expect(scan(names(1000))).toHaveLength(1)
    expect(scan(names(1100))).toBeUndefined()
    expect(scan(JSON.stringify([{ ['n'.repeat(1000)]: 1 }]))).toBeUndefined()
  })

  test('are not plain where they end too early', () => {
    const text = JSON.stringify([{ url: 'a', n: [-12, true, null, 'é\n', {}] }, { b: false }])
    const bytes = Buffer.from(text)
    for (let end = 0; end < bytes.length; end++)
      expect(scan(bytes.subarray(0, end))).toBeUndefined()
  })

  // A character put in, taken out or put in place of another, or none of it.
  const slips = fc.record({
    at: fc.nat(200),
    without: fc.constantFrom(0, 1),
    put: fc.constantFrom(
      '',
      '',
      '"',
      '\\',
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      '0',
      '.',
      '-',
      'e',
      ' ',
      '\n',
      'é',
    ),
  })

  const values = fc.oneof(jsonTexts, fc.constantFrom('"https://H/zoë"', 'null', '[{"a":"\\n"}]'))
  const members = fc.tuple(fc.constantFrom(...ASKED, 'a', 'b', 'body'), values)
  const arrays = fc
    .array(fc.array(members, { maxLength: 3 }), { maxLength: 3 })
    .map((records) => records.map((record) => record.map(([name, value]) => `"${name}":${value}`)))
    .map((records) => `[${records.map((record) => `{${record.join(',')}}`).join(',')}]`)

  test('are what they are when parsed, and nothing is odd about them', async () => {
    let plain = 0
    const report = (problem: unknown) => expect.fail(JSON.stringify(problem))
    await fc.assert(
      fc.asyncProperty(arrays, fc.option(slips, { freq: 1 }), async (array, slip) => {
        const { at, without, put } = slip ?? { at: 0, without: 0, put: '' }
        const text = (array.slice(0, at) + put + array.slice(at + without)).toWellFormed()
        const scanned = scan(text)
        if (!scanned) return
        if (scanned.length > 0) plain++
        const records = await listOf(readRecords(inPiecesOf(text, 1000), 'e', { report }))
        expect(scanned).toEqual(askedOf(records.map(({ record }) => record)))
      }),
      { numRuns: 300 },
    )
    expect(plain).toBeGreaterThan(30)
  })

  const plainText = fc.string({ unit: 'grapheme' })
  const plainValue = fc.oneof(plainText, fc.boolean(), fc.constant(null), fc.integer())
  const plainName = fc.stringMatching(/^[a-z_]{1,12}$/)
  const plainRecord = fc.record(
    {
      url: fc.webUrl(),
      user: fc.option(fc.webUrl(), { nil: null }),
      body: plainText,
      reactions: fc.array(fc.dictionary(plainName, plainValue)),
    },
    { requiredKeys: ['url'] },
  )

  test('are plain as hosts write them', () => {
    fc.assert(
      fc.property(fc.array(plainRecord), fc.constantFrom(undefined, 2), (records, space) => {
        expect(scan(JSON.stringify(records, null, space))).toEqual(askedOf(records as JsonObject[]))
      }),
    )
  })
})
