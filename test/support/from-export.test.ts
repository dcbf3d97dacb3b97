import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unknownKind } from '../../src/database/schema/unknown-kind.ts'
import { type Dialect, EXACT } from '../../src/exporters/dialect.ts'
import { type TypedValue, toTyped } from '../../src/exporters/to-typed.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import { parseLossless } from '../../src/records/json/parse-lossless.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { fromExport } from './from-export.ts'
import { jsonObjects, objectsWith } from './json-objects.ts'
import { plainObjects } from './plain-objects.ts'
import { runs } from './property-runs.ts'

const kinds: [string, Kind][] = [
  ...Object.entries(KINDS),
  ['gadgets, which is unknown', unknownKind('gadgets')],
]

/** Everything that some target cannot hold. */
const POOR: Dialect = {
  nul: false,
  nullList: false,
  nullStruct: false,
  normalizesJson: true,
  indexed: { bytes: 8, isIndexed: (column) => column === 'url' },
}

/** What a poor target gives back: lists and structs without NULL, text without U+0000. */
function readPoorly(value: TypedValue): TypedValue {
  if (typeof value === 'string') {
    expect(value).not.toContain('\0')
    return value
  }
  return Array.isArray(value) ? value.map(readPoorly) : value
}

const print = (record: JsonObject) => JSON.stringify(record)

function expectRoundTrip(kind: Kind, record: JsonObject): void {
  expect(print(fromExport(kind, toTyped(kind, record, EXACT)))).toBe(print(record))
  const row = toTyped(kind, record, POOR)
  const memberOrder = row.memberOrder?.length === 0 ? null : row.memberOrder
  const read = { ...row, memberOrder, values: row.values.map(readPoorly) }
  expect(print(fromExport(kind, read))).toBe(print(record))
}

describe.each(kinds)('fromExport after toTyped, for %s', (_name, kind) => {
  test('gives back any object', () => {
    fc.assert(
      fc.property(jsonObjects, (record) => expectRoundTrip(kind, record)),
      { numRuns: runs(30) },
    )
  })

  test('gives back records that are almost always as the kind foresees them', () => {
    fc.assert(
      fc.property(plainObjects(kind), (record) => expectRoundTrip(kind, record)),
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
      expectRoundTrip(kind, Object.fromEntries(members.map((member) => [member, value])))
    }
    expectRoundTrip(kind, {})
    expectRoundTrip(kind, { type: kind.type })
  })
})

const TIME = '2024-01-31T23:59:59Z'

/** What the column of one member holds, and whether the member is in `_extra` as well. */
function column(kind: Kind, member: string, json: string, dialect?: Dialect) {
  const record = parseLossless(`{"type":"${kind.type}","${member}":${json}}`) as JsonObject
  const { values, extraMembers } = toTyped(kind, record, dialect)
  return [values[Object.keys(kind.columns).indexOf(member)], extraMembers.includes(member)]
}

const { issues, organizations, pull_requests, repositories, users } = KINDS

test.each<[string, Kind, string, string, TypedValue | undefined, boolean]>([
  ['a text', issues, 'title', '"a\\u0000b"', 'a\0b', false],
  ['a lone surrogate', issues, 'title', '"\\ud800"', '\ufffd', true],
  ['a number where text belongs', issues, 'title', '1', null, true],
  ['a time', issues, 'created_at', `"${TIME}"`, Date.parse(TIME), false],
  ['a time with a fraction', issues, 'created_at', '"2024-01-31T23:59:59.5Z"', 1706745599500, true],
  ['a time with an offset', issues, 'created_at', '"1970-01-01T01:00:00+01:00"', 0, true],
  ['no time', issues, 'created_at', '"yesterday"', null, true],
  ['a day that no month has', issues, 'created_at', '"2024-02-31T00:00:00Z"', null, true],
  ['a month that no year has', issues, 'created_at', '"2024-13-01T00:00:00Z"', null, true],
  [
    'a day with an offset that no month has',
    issues,
    'created_at',
    '"2024-02-31T00:00:00+01:00"',
    null,
    true,
  ],
  ['the year 0', issues, 'created_at', '"0000-01-01T00:00:00Z"', null, true],
  ['a list of texts', issues, 'labels', '["a",null]', ['a', null], false],
  ['a list with a number', issues, 'labels', '["a",1]', null, true],
  ['an empty list', issues, 'labels', '[]', [], false],
  ['true', repositories, 'private', 'true', true, false],
  [
    'a struct',
    pull_requests,
    'base',
    '{"ref":"a","sha":null,"user":null,"repo":null}',
    ends('a'),
    false,
  ],
  [
    'members in another order',
    pull_requests,
    'base',
    '{"sha":null,"ref":"a","user":null,"repo":null}',
    ends('a'),
    true,
  ],
  ['a struct without a member', pull_requests, 'base', '{"ref":"a"}', ends('a'), true],
  ['a struct with one more member', pull_requests, 'base', '{"ref":"a","x":1}', null, true],
  ['an array of any shape', organizations, 'webhooks', '[{"b":1.0}]', '[{"b":1.0}]', false],
  [
    'an integer',
    users,
    'billing_plan',
    '{"name":"a","space":9007199254740993,"private_repos":1}',
    { name: 'a', space: 9007199254740993n, private_repos: 1 },
    false,
  ],
  [
    'an integer with a fraction',
    users,
    'billing_plan',
    '{"name":"a","space":1.0,"private_repos":1}',
    { name: 'a', space: 1, private_repos: 1 },
    true,
  ],
  [
    'an integer beyond 64 bits',
    users,
    'billing_plan',
    '{"name":"a","space":9223372036854775808,"private_repos":1}',
    null,
    true,
  ],
])('%s: %o', (_what, kind, member, json, value, isExtra) => {
  expect(column(kind, member, json)).toEqual([value, isExtra])
})

function ends(ref: string): TypedValue {
  return { ref, sha: null, user: null, repo: null }
}

test.each<[string, Kind, string, string, TypedValue, boolean]>([
  ['text loses U+0000', issues, 'title', '"a\\u0000b"', 'ab', true],
  ['a long text in an index is NULL', issues, 'url', '"123456789"', null, true],
  ['a null list is empty', issues, 'labels', 'null', [], true],
  ['a null struct is noted', pull_requests, 'base', 'null', null, true],
  [
    'an object is normalized',
    organizations,
    'webhooks',
    '[{"b":1,"a":2}]',
    '[{"b":1,"a":2}]',
    true,
  ],
  ['JSON with U+0000 is NULL', organizations, 'webhooks', '["\\u0000"]', null, true],
])('Where a target holds less: %s', (_what, kind, member, json, value, isExtra) => {
  expect(column(kind, member, json, POOR)).toEqual([value, isExtra])
})
