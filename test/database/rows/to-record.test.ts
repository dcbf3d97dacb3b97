import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toRecord } from '../../../src/database/rows/to-record.ts'
import { toRow } from '../../../src/database/rows/to-row.ts'
import { unknownKind } from '../../../src/database/schema/unknown-kind.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import type { Kind } from '../../../src/records/kinds/kind.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { jsonObjects, objectsWith } from '../../support/json-objects.ts'
import { runs } from '../../support/property-runs.ts'

const kinds: [string, Kind][] = [
  ...Object.entries(KINDS),
  ['gadgets, which is unknown', unknownKind('gadgets')],
]

/** Expects that a record comes back from its row as it was, the order of its members included. */
function expectRoundTrip(kind: Kind, record: JsonObject): void {
  expect(JSON.stringify(toRecord(kind, toRow(kind, record)))).toBe(JSON.stringify(record))
}

describe.each(kinds)('toRecord after toRow, for %s', (_name, kind) => {
  test('gives back any object', () => {
    fc.assert(
      fc.property(jsonObjects, (record) => expectRoundTrip(kind, record)),
      { numRuns: runs(30) },
    )
  })

  test('gives back members of the kind in any order and of any type', () => {
    const members = ['type', ...Object.keys(kind.columns)]
    fc.assert(
      fc.property(objectsWith(members), (record) => expectRoundTrip(kind, record)),
      { numRuns: runs(60) },
    )
  })

  test('gives back a record with every member null, absent or empty', () => {
    const members = Object.keys(kind.columns)
    for (const value of [null, '', 0, false, [], {}]) {
      const record = Object.fromEntries(members.map((member) => [member, value]))
      expectRoundTrip(kind, { type: kind.type, ...record })
      expectRoundTrip(kind, record)
    }
    expectRoundTrip(kind, {})
  })
})

describe('toRecord after toRow', () => {
  test.each([
    ['names of what every object has', '{"__proto__":{"a":1},"constructor":1,"toString":null}'],
    ['the empty name', '{"":1}'],
    ['names that differ in case only', '{"url":"a","Url":"b","URL":"c"}'],
    ['names of columns of our own', '{"_extra":1,"_member_order":["a"],"_archive":2,"number":3}'],
    ['a type of another type', '{"type":null,"url":"a"}'],
    ['lone surrogates', String.raw`{"title":"\ud800","x":"\udfff","\udc00":1}`],
    ['NUL', String.raw`{"title":"a\u0000b","body":"\u0000"}`],
    ['numbers that print otherwise', '{"a":1.0,"b":1e400,"c":-0,"d":12345678901234567890}'],
    ['numbers that print otherwise inside of columns', '{"labels":[1.0,-0],"reactions":[1E2]}'],
    ['numbers where texts are foreseen', '{"title":1.50,"closed_at":0}'],
    ['objects where texts are foreseen', '{"url":{"rawJSON":"1"},"user":[],"title":{}}'],
    ['texts where lists are foreseen', '{"labels":"bug","assignees":{"0":"ada"}}'],
  ])('keeps %s', (_what, text) => {
    expectRoundTrip(KINDS.issues, parseLossless(text) as JsonObject)
  })

  test('keeps integers as far as a double counts, and texts of those beyond', () => {
    for (const state of ['9007199254740991', '-9007199254740991', '9007199254740993', '1e2']) {
      expectRoundTrip(KINDS.pull_request_reviews, parseLossless(`{"state":${state}}`) as JsonObject)
    }
  })

  test('keeps two thousand members', () => {
    const members = Array.from({ length: 2000 }, (_, i) => [`member ${i % 7} ${i}`, i])
    expectRoundTrip(KINDS.issues, { type: 'issue', ...Object.fromEntries(members), title: 'last' })
  })

  test('keeps nesting as deep as a record may be', () => {
    const depth = 2000
    const record = JSON.parse(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expectRoundTrip(KINDS.issues, record)
  })

  test('distinguishes an absent member from one that is null', () => {
    const { issues } = KINDS
    const usual = toRecord(issues, toRow(issues, { type: 'issue', url: 'a' }))
    expect(usual).toEqual({ type: 'issue', url: 'a' })
    const other = toRecord(issues, toRow(issues, { type: 'issue', url: 'a', reactions: null }))
    expect(other).toEqual({ type: 'issue', url: 'a', reactions: null })
  })
})

describe('toRow', () => {
  const { labels, ...issue } = { url: 'a', labels: ['l'] }

  test('stores a record in the usual form in its columns alone', () => {
    const record = { type: 'milestone', ...allNull(KINDS.milestones), title: '1.0' }
    expect(toRow(KINDS.milestones, record).slice(-2)).toEqual([null, null])
  })

  test('leaves optional members out without a word', () => {
    const { reactions, ...record } = { type: 'issue', ...allNull(KINDS.issues) } as JsonObject
    expect(toRow(KINDS.issues, record).slice(-2)).toEqual([null, null])
  })

  test('puts unknown members at the end of a usual record into _extra alone', () => {
    const record = { type: 'milestone', ...allNull(KINDS.milestones), colour: 'red' }
    expect(toRow(KINDS.milestones, record).slice(-2)).toEqual(['{"colour":"red"}', null])
  })

  test('lists the members of a record with another order', () => {
    const row = toRow(KINDS.issues, { ...issue, labels, type: 'issue' } as JsonObject)
    expect(row.slice(-2)).toEqual([null, '["url","labels","type"]'])
  })
})

describe('toRecord', () => {
  test.each([
    [1, true],
    [0n, false],
    ['false', 'false'],
    [Buffer.from('no'), 'no'],
  ])('takes the flag %o for %o, as SQL put it', (stored, expected) => {
    const row = toRow(KINDS.repositories, { url: 'a' })
    row[Object.keys(KINDS.repositories.columns).indexOf('private')] = stored
    expect(toRecord(KINDS.repositories, row).private).toBe(expected)
  })

  test.each([
    ['_extra', 'no JSON', 'expected JSON'],
    ['_extra', '[1]', 'expected a JSON object'],
    ['_member_order', '{}', 'expected a JSON array'],
  ])('refuses a %s that is %s', (column, stored, message) => {
    const row = toRow(KINDS.issues, { url: 'a' })
    row[row.length - (column === '_extra' ? 2 : 1)] = stored
    expect(() => toRecord(KINDS.issues, row)).toThrow(
      expect.objectContaining({
        code: 'database-damaged',
        place: { member: column },
        message: expect.stringContaining(message),
      }),
    )
  })
})

const allNull = (kind: Kind): JsonObject =>
  Object.fromEntries(Object.keys(kind.columns).map((member) => [member, null]))
