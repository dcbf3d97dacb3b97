import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTemporary } from '../../../src/database/connection.ts'
import { EXPORT_FORMATS } from '../../../src/exporters/export-options.ts'
import { ChecksumAdder, type TableSums } from '../../../src/exporters/read-back/checksums.ts'
import { tableOfKind } from '../../../src/exporters/table.ts'
import { openExpectedTable } from '../../../src/exporters/verify/expected-table.ts'
import type { JsonObject, JsonValue } from '../../../src/records/json/json.ts'
import { someRecords } from '../../support/any-records.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Texts that a careless comparison takes for each other. */
const text = fc.constantFrom(
  null,
  '',
  ' ',
  'a',
  'a ',
  'A',
  '\n',
  'a\n',
  '\na',
  '0',
  '-0',
  'é',
  'e\u0301',
)
const row = fc.record({ key: fc.constantFrom('', 'a', 'a\n', 'b'), values: fc.tuple(text, text) })
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

/** The checksums of rows whose first column is their key. */
function sumsOf(rows: readonly Row[]): TableSums {
  const adder = new ChecksumAdder(3)
  for (const { key, values } of rows) {
    const bucket = adder.addRow(key)
    for (const [i, value] of [key, ...values].entries()) adder.addValue(bucket, key, i, value)
  }
  return adder.finish()
}

/** The values of each column, with their keys: which of two rows of one key has which values together is not told apart. */
const columnsOf = (rows: readonly Row[]) =>
  [0, 1].map((i) => rows.map(({ key, values }) => JSON.stringify([key, values[i]])).sort())

test('Checksums of tables are equal if and only if their columns are, in whatever order the rows are', () => {
  const tables = fc.array(row, { maxLength: 5 })
  fc.assert(
    fc.property(tables, tables, fc.boolean(), (left, other, isSame) => {
      const right = isSame ? left.toReversed() : other
      const isEqual = JSON.stringify(columnsOf(left)) === JSON.stringify(columnsOf(right))
      expect(JSON.stringify(printed(sumsOf(left))) === JSON.stringify(printed(sumsOf(right)))).toBe(
        isEqual,
      )
    }),
  )
})

const printed = (sums: TableSums) =>
  [...sums].map(([bucket, { rows, columns }]) => [bucket, rows, columns.map(String)])

/** A small edit of any value. */
const edited = (value: JsonValue): fc.Arbitrary<JsonValue> => {
  if (typeof value === 'string') return fc.constantFrom(`${value} `, value.normalize('NFD'), null)
  if (typeof value === 'number') return fc.constantFrom(value + 1, -value, String(value))
  if (typeof value === 'boolean') return fc.constantFrom(!value, null)
  if (Array.isArray(value)) return fc.constantFrom(value.toReversed(), value.slice(1), [null], null)
  return fc.constantFrom('', 0, null, [], {}) as fc.Arbitrary<JsonValue>
}

/** A record, and the same with another value, a member less, or its members in another order. */
const twins = someRecords.chain(({ name, kind, records: [first = {}] }) => {
  const names = Object.keys(first)
  const member = fc.constantFrom(...(names.length > 0 ? names : ['url']))
  const change = member.chain((one) =>
    fc.oneof(
      edited(first[one] ?? null).map((value): JsonObject => ({ ...first, [one]: value })),
      fc.constant(Object.fromEntries(Object.entries(first).filter(([name]) => name !== one))),
      fc.constant(Object.fromEntries(Object.entries(first).toReversed())),
    ),
  )
  return change.map((second) => ({ name, kind, first, second }))
})

test(
  'A record and an edited one have different rows in every format, unless their JSON is the same',
  THOROUGH,
  () => {
    const scratch = openTemporary()
    fc.assert(
      fc.property(twins, ({ name, kind, first, second }) => {
        const isSame = JSON.stringify(first) === JSON.stringify(second)
        for (const format of EXPORT_FORMATS) {
          const table = openExpectedTable(tableOfKind(name, kind, {}), {
            archive: 'it',
            format,
            scratch,
            isReadable: () => true,
          })
          const rows = [first, second].map((record) =>
            JSON.stringify(table?.ofRecord({ record, entry: '', index: 1 }).texts),
          )
          expect(rows[0] === rows[1], format).toBe(isSame)
        }
      }),
      { numRuns: runs(100) },
    )
    scratch.close()
  },
)
