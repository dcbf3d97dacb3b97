import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Dialect, EXACT } from '../../src/exporters/dialect.ts'
import { createScannedRows } from '../../src/exporters/scanned-row.ts'
import { tableOfKind } from '../../src/exporters/table.ts'
import { toExportRow } from '../../src/exporters/to-export-row.ts'
import { RecordScanner } from '../../src/records/canonical/read-canonical.ts'
import { ESCAPED } from '../../src/records/cells.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { writeRecords } from '../../src/records/write-records.ts'
import { plainObjects } from '../support/plain-objects.ts'
import { everyDay } from '../support/thorough.ts'

const scanner = new RecordScanner()
const print = (record: JsonObject) =>
  Buffer.concat([...writeRecords([record], { emptyArray: 'new' })])

const DIALECTS: [string, Dialect][] = [
  ['holds everything', EXACT],
  ['has no lists that are NULL', { ...EXACT, nullList: false, nullStruct: false }],
]

/** The row without parsing the record, with its texts; undefined if there is none. */
function rowOf(kind: Kind, record: JsonObject, dialect = EXACT, derived = true) {
  const table = tableOfKind('it', kind, { derived })
  const found = scanner.scan(kind, print(record))
  if (!found || found.hasNull[0]) return undefined
  const row = createScannedRows(table, 'a', dialect)(found, 0, 'it_000001.json')
  return row?.map((value, cell) => {
    if (value !== undefined) return value
    const text = found.memory.toString('utf8', found.start[cell], found.end[cell])
    return found.what[cell] === ESCAPED ? JSON.parse(`"${text}"`) : text
  })
}

/** The same by parsing it. */
function parsedRowOf(kind: Kind, record: JsonObject, dialect = EXACT, derived = true) {
  const table = tableOfKind('it', kind, { derived })
  return toExportRow(table, { record, entry: 'it_000001.json', index: 1 }, 'a', dialect).row
}

const times = fc.constantFrom(
  '2024-02-29T23:59:59Z',
  '2023-02-29T00:00:00Z',
  '2024-01-31T23:59:59+00:00',
  '0007-01-01',
)

/** Records in which most times are times. */
const records = (kind: Kind): fc.Arbitrary<JsonObject> =>
  fc.tuple(plainObjects(kind), fc.array(times)).map(([record, some]) => {
    const copy = { ...record }
    for (const [name, { storage }] of Object.entries(kind.columns)) {
      if (storage === 'time' && copy[name]) copy[name] = some.shift() ?? '1999-12-31T00:00:00Z'
    }
    return copy
  })

describe.each(DIALECTS)('For a target that %s', (_what, dialect) => {
  everyDay(3)(Object.entries(KINDS))('rows of %s are those of parsed records', (_name, kind) => {
    fc.assert(
      fc.property(records(kind), (record) => {
        const row = rowOf(kind, record, dialect)
        if (row) expect(row).toEqual(parsedRowOf(kind, record, dialect))
      }),
      { numRuns: 20 },
    )
  })
})

const issue: JsonObject = {
  type: 'issue',
  ...Object.fromEntries(Object.keys(KINDS.issues.columns).map((name) => [name, null])),
  url: 'https://forge.example/o/r/issues/7',
  repository: 'https://forge.example/o/r',
  reactions: [],
  labels: ['a', 'é"'],
  title: 'Two\nlines',
  created_at: '2024-02-29T01:02:03Z',
}

test('A row has derived columns only if the table has them', () => {
  const row = rowOf(KINDS.issues, issue)
  expect(row).toContain('o/r')
  expect(rowOf(KINDS.issues, issue, EXACT, false)).toEqual(
    parsedRowOf(KINDS.issues, issue, EXACT, false),
  )
})

test.each([
  '2024-02-29T01:02:03Z',
  '2023-02-28T23:59:59Z',
  '2000-02-29T00:00:00Z',
  '0100-12-31T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('The time %s is read without making a text of it', (created_at) => {
  expect(rowOf(KINDS.issues, { ...issue, created_at })).toContain(Date.parse(created_at))
})

test.each([
  '2023-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2024-04-31T00:00:00Z',
  '2024-00-10T00:00:00Z',
  '2024-13-10T00:00:00Z',
  '2024-01-00T00:00:00Z',
  '2024-01-10T24:00:00Z',
  '2024-01-10T00:60:00Z',
  '2024-01-10T00:00:60Z',
  '0000-01-10T00:00:00Z',
  '2024-01-10 00:00:00Z',
  '2024-01-1OT00:00:00Z',
  '2024-01-10T00:00:00.5Z',
])('A record with the time %s, which its column does not give back, is parsed', (created_at) => {
  expect(rowOf(KINDS.issues, { ...issue, created_at })).toBeUndefined()
})

test('A record is parsed if an object in a list lacks a member', () => {
  const reaction = { user: null, content: '+1', subject_type: 'Issue', created_at: 'x' }
  const whole = rowOf(KINDS.issues, { ...issue, reactions: [reaction] })
  expect(whole).toEqual(parsedRowOf(KINDS.issues, { ...issue, reactions: [reaction] }))
  const { content } = reaction
  expect(rowOf(KINDS.issues, { ...issue, reactions: [{ content }] })).toBeUndefined()
})
