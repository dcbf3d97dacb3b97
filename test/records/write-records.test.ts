import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/records/json/json.ts'
import { parseLossless } from '../../src/records/json/parse-lossless.ts'
import { readRecords } from '../../src/records/read-records.ts'
import {
  type JsonForm,
  printRecord,
  printRecords,
  writeRecords,
} from '../../src/records/write-records.ts'
import { codePoint } from '../support/code-point.ts'
import { THOROUGH } from '../support/thorough.ts'

const write = (records: Iterable<JsonObject>, emptyArray: JsonForm['emptyArray'] = 'new') =>
  Buffer.concat([...writeRecords(records, { emptyArray })]).toString()

async function read(text: string): Promise<JsonObject[]> {
  async function* content() {
    yield Buffer.from(text)
  }
  const records: JsonObject[] = []
  for await (const { record } of readRecords(content(), 'issues_000001.json')) records.push(record)
  return records
}

describe('printRecords', () => {
  it.each<JsonForm>([
    { emptyArray: 'new' },
    { emptyArray: 'old' },
    { emptyArray: 'new', compact: true },
  ])('tells the checksum of each record, unless it has a long list, in the form %j', (form) => {
    const long = { labels: Array.from({ length: 1001 }, String) }
    const records = [{ labels: [] }, { body: 'é'.repeat(200_000) }, long, {}, { body: '🍵' }]
    const sums: (number | undefined)[] = []
    for (const _ of printRecords(records, form, (sum) => void sums.push(sum)));
    const expected = records.map((record) => crc32(printRecord(record, form)))
    expect(sums).toEqual(expected.with(2, undefined as never))
  })
})

describe('writeRecords', () => {
  it('prints as the host does', () => {
    const records = [
      { type: 'issue', body: 'a <b> & c/d\r\n"é" \\ 🍵', labels: ['x'], reactions: [] },
      { type: 'issue', base: { ref: 'main', labels: [] }, closed_at: null },
    ]
    expect(write(records)).toBe(String.raw`[
  {
    "type": "issue",
    "body": "a <b> & c/d\r\n\"é\" \\ 🍵",
    "labels": [
      "x"
    ],
    "reactions": []
  },
  {
    "type": "issue",
    "base": {
      "ref": "main",
      "labels": []
    },
    "closed_at": null
  }
]`)
  })

  it('prints empty arrays in the old form, wherever they are', () => {
    const record = { labels: [], base: { labels: [[], 1] }, none: {}, text: '[]', '[],': '[],' }
    expect(write([record], 'old')).toBe(`[
  {
    "labels": [

    ],
    "base": {
      "labels": [
        [

        ],
        1
      ]
    },
    "none": {
    },
    "text": "[]",
    "[],": "[],"
  }
]`)
  })

  it('leaves text alone that holds line separators of other systems', () => {
    const body = '[]\u2028[],\u2029{}\u0085\n[]\n'
    expect(write([{ body }], 'old')).toContain(`"${body.replaceAll('\n', '\\n')}"`)
  })

  it('prints no records as an empty array', () => {
    expect(write([])).toBe('[]')
    expect(write([], 'old')).toBe('[\n\n]')
  })

  it('prints numbers by their text', () => {
    const text = '[\n  {\n    "id": 12345678901234567890,\n    "part": 1.0\n  }\n]'
    expect(write(parseLossless(text) as JsonObject[])).toBe(text)
  })

  it('gives small records many to a piece, and a large one alone', () => {
    const records = Array.from({ length: 5000 }, (_, number) => ({ number, body: 'é'.repeat(100) }))
    const large = { body: '🍵'.repeat(100_000) }
    const all = [...records, large, ...records]
    const pieces = [...writeRecords(all, { emptyArray: 'new' })]
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(all, null, 2))
    expect(pieces.length).toBeLessThan(40)
    expect(pieces.filter(({ length }) => length > 400_000)).toHaveLength(1)
  })

  it('gives a record with long lists in pieces, printed as if it were one', THOROUGH, () => {
    const elements = Array.from({ length: 2001 }, (_, i) => ({ i, text: '[]', list: [], of: {} }))
    const long = { 'a [': 1, '[ "labels': elements, none: [], 'more\n': elements.slice(0, 1001) }
    const all = [long, { a: [] }, { ...long, last: 'x'.repeat(200_000) }, long] as JsonObject[]
    const pretty = JSON.stringify(all, null, 2)
    const pieces = [
      ...writeRecords([{ elements: all.flatMap(() => elements) }], { emptyArray: 'new' }),
    ]
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 ** 17)
    expect(write(all)).toBe(pretty)
    expect(write(all, 'old')).toBe(
      pretty
        .replace(/^( *)(.*)\[\](,?)$/gm, '$1$2[\n\n$1]$3')
        .replace(/^( *)(.*)\{\}(,?)$/gm, '$1$2{\n$1}$3'),
    )
    const compact = [...writeRecords(all, { emptyArray: 'new', compact: true })]
    expect(Buffer.concat(compact).toString()).toBe(JSON.stringify(all))
  })

  it('is undone by readRecords, which it undoes', THOROUGH, async () => {
    const number = fc
      .constantFrom('1.0', '1e400', '-0', '12345678901234567890')
      .map((text) => parseLossless(text))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(null, true, false, '', '[]', '{},', '\u2028[]\n'),
        fc.string({ unit: codePoint }),
        fc.integer(),
        number,
        fc.array(tie('value')),
        tie('record'),
      ),
      record: fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON', 'x": []')),
        tie('value'),
      ),
    }))
    const records = fc.array(fc.dictionary(fc.string(), value)) as fc.Arbitrary<JsonObject[]>
    const form = fc.constantFrom<JsonForm['emptyArray']>('old', 'new')
    await fc.assert(
      fc.asyncProperty(records, form, async (given, emptyArray) => {
        const text = write(given, emptyArray)
        const found = await read(text)
        // Compared as JSON, because the wrapped numbers are objects without identity.
        expect(JSON.stringify(found)).toBe(JSON.stringify(given))
        expect(write(found, emptyArray)).toBe(text)
      }),
    )
  })

  it('writes compact JSON without any white space', () => {
    const records = [
      { url: 'a', list: [] },
      { url: 'b', of: { c: 1 } },
    ]
    for (const some of [[], records.slice(1), records]) {
      const bytes = Buffer.concat([...writeRecords(some, { emptyArray: 'new', compact: true })])
      expect(bytes.toString()).toBe(JSON.stringify(some))
    }
  })

  it('prints one record as in its file', () => {
    const record = { url: 'a', list: [], of: {} }
    for (const form of [
      { emptyArray: 'new' },
      { emptyArray: 'old' },
      { emptyArray: 'new', compact: true },
    ] as const) {
      const file = Buffer.concat([...writeRecords([record, record], form)]).toString()
      const between = form.compact ? ',' : ',\n  '
      const text = printRecord(record, form).toString()
      expect(file).toContain(text + between + text)
    }
  })
})
