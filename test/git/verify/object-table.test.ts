import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { finderOf } from '../../../src/git/verify/object-table.ts'
import { everyDay } from '../../support/thorough.ts'

/** Sorted ids: sums, which are spread evenly, or ids that all begin alike. */
const idsOf = (count: number, beginning: string): string[] =>
  Array.from({ length: count }, (_, i) => createHash('sha1').update(String(i)).digest('hex'))
    .map((id) => beginning + id.slice(beginning.length))
    .sort()

everyDay(1)([
  [100, ''],
  [20_000, ''],
  [20_000, 'ffffffff'],
  [20_000, '00000000'],
])('Each of %i ids that begin with "%s" is found, and no other', (count, beginning) => {
  const ids = idsOf(count, beginning)
  const find = finderOf(Buffer.from(ids.join(''), 'hex'))
  const found = ids.map((id) => find(Buffer.from(id, 'hex'), 0))
  expect(found.every((place, i) => place === i)).toBe(true)
  for (const id of ['0'.repeat(40), 'f'.repeat(40), `${beginning || '7'}`.padEnd(40, '1')]) {
    expect(find(Buffer.from(id, 'hex'), 0)).toBe(undefined)
  }
})
