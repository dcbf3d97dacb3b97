import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRows, unpackRows } from '../../src/transform/found-rows.ts'

const rows = fc.array(
  fc.record({
    rowid: fc.integer().map(BigInt),
    columns: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 30 })), { nil: undefined }),
  }),
)

test('Packed rows are unpacked with their columns in order', () => {
  fc.assert(
    fc.property(rows, rows, (first, second) => {
      const parts = [first, second].map((each) => Int32Array.from(packRows(each)))
      const sorted = [...first, ...second].map(({ rowid, columns }) => ({
        rowid,
        columns: columns?.toSorted((a, b) => a - b),
      }))
      expect([...unpackRows(parts)]).toEqual(sorted)
    }),
  )
})

test('Of a row with a hint in a column beyond the first 31, any column may have one', () => {
  const parts = [Int32Array.from(packRows([{ rowid: 7n, columns: [2, 31] }]))]
  expect([...unpackRows(parts)]).toEqual([{ rowid: 7n, columns: undefined }])
})
