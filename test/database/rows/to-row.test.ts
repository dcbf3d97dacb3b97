import { describe, expect, test } from 'vitest'
import { toRow } from '../../../src/database/rows/to-row.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { flag, integer, json, listOf, text, time } from '../../../src/records/kinds/kind.ts'

const KIND = {
  type: 'gadget',
  summary: 'Made for this test.',
  columns: {
    url: text('.'),
    made_at: time('.'),
    is_new: flag('.'),
    size: integer('.'),
    labels: listOf('label', text('.'), '.'),
    owner: json('.'),
    note: { ...text('.'), optional: true },
  },
} as const

const REST = { is_new: null, size: null, labels: null, owner: null }
const NULLS = { type: 'gadget', url: null, made_at: null, ...REST }

/** The row of a record as an object, and the members that have no column. */
function rowOf(record: string | JsonObject) {
  const unforeseen: string[] = []
  const given = typeof record === 'string' ? (parseLossless(record) as JsonObject) : record
  const row = toRow(KIND as never, given, unforeseen)
  const names = [...Object.keys(KIND.columns), '_extra', '_member_order']
  return { row: Object.fromEntries(names.map((name, i) => [name, row[i]])), unforeseen }
}

test('A record in the usual order needs neither _extra nor _member_order', () => {
  const record = {
    type: 'gadget',
    url: 'u',
    made_at: 'yesterday',
    is_new: false,
    size: -3,
    labels: ['a'],
    owner: { login: 'ada' },
    note: 'n',
  }
  expect(rowOf(record)).toEqual({
    row: {
      url: 'u',
      made_at: 'yesterday',
      is_new: 0,
      size: -3,
      labels: '["a"]',
      owner: '{"login":"ada"}',
      note: 'n',
      _extra: null,
      _member_order: null,
    },
    unforeseen: [],
  })
})

describe('A value that its column cannot hold goes to _extra:', () => {
  test.each([
    ['url', 7],
    ['url', '\ud800'],
    ['is_new', 1],
    ['size', 1.5],
    ['size', '7'],
    ['size', 2 ** 53],
    ['labels', { a: 1 }],
    ['labels', 'a'],
    ['owner', 'ada'],
    ['owner', true],
  ])('%s: %j', (member, value) => {
    const { row, unforeseen } = rowOf({ ...NULLS, [member]: value })
    expect(row).toMatchObject({ [member]: null, _extra: JSON.stringify({ [member]: value }) })
    expect(unforeseen).toEqual([member])
  })

  test.each(['-0', '1.0', '12345678901234567890'])('the number %s, with its text', (number) => {
    const { row } = rowOf(`{"type":"gadget","size":${number}}`)
    expect(row).toMatchObject({ size: null, _extra: `{"size":${number}}` })
  })

  test('another type of record', () => {
    const { row } = rowOf({ ...NULLS, type: 'widget' })
    expect(row._extra).toBe('{"type":"widget"}')
  })

  test('a member that the kind does not have, and null for one', () => {
    const { row, unforeseen } = rowOf({ ...NULLS, color: 'red', weight: null })
    expect(row).toMatchObject({ _extra: '{"color":"red","weight":null}', _member_order: null })
    expect(unforeseen).toEqual(['color', 'weight'])
  })
})

describe('The names of members are kept in their order', () => {
  test.each<[string, JsonObject]>([
    ['if a required member is absent', { type: 'gadget', url: 'u' }],
    ['if members come in another order', { url: 'u', type: 'gadget', made_at: null, ...REST }],
    ['if an optional member is null', { ...NULLS, note: null }],
    ['if an unknown member comes before a known one', { color: 'red', ...NULLS }],
    ['if the type is absent', { ...NULLS, type: undefined as never }],
  ])('%s', (_, given) => {
    const record = JSON.parse(JSON.stringify(given)) as JsonObject
    expect(rowOf(record).row._member_order).toBe(JSON.stringify(Object.keys(record)))
  })

  test('but not if an optional member is absent', () => {
    expect(rowOf(NULLS).row._member_order).toBeNull()
  })
})

test('J9: members named like those of all objects are members like others', () => {
  const { row } = rowOf(
    `${JSON.stringify(NULLS).slice(0, -1)},"__proto__":1,"constructor":2,"toString":3}`,
  )
  expect(row._extra).toBe('{"__proto__":1,"constructor":2,"toString":3}')
})
