import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEditedRows } from '../../src/transform/edited-rows.ts'

test('Knows the rows that were added, wherever their rowids are', () => {
  const rowid = fc.oneof(fc.integer({ min: -20_000, max: 20_000 }), fc.maxSafeInteger())
  fc.assert(
    fc.property(fc.uniqueArray(rowid), fc.uniqueArray(rowid), (added, others) => {
      const edited = createEditedRows()
      for (const each of added) edited.add('issues', BigInt(each))
      for (const each of added) expect(edited.has('issues', each)).toBe(true)
      for (const each of others) {
        expect(edited.has('issues', each)).toBe(added.includes(each))
        expect(edited.has('users', each)).toBe(false)
      }
    }),
  )
})

test('Of a table with other changes, nothing more is known', () => {
  const edited = createEditedRows()
  edited.add('issues', 5n)
  edited.addAny('issues')
  expect([5, 6].map((rowid) => edited.has('issues', rowid))).toEqual([true, undefined])
  expect(edited.has('users', 5)).toBe(false)
  edited.addAny()
  expect(edited.has('users', 5)).toBeUndefined()
})

test('Rows far apart take bounded memory', () => {
  const edited = createEditedRows()
  for (let i = 0; i <= 2 ** 14; i++) edited.add('issues', BigInt(i) * 2n ** 20n)
  expect(edited.has('issues', 2 ** 20)).toBe(true)
  expect(edited.has('issues', 1)).toBeUndefined()
})
