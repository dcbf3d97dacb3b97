import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitWidths } from '../../../src/cli/output/fit-widths.ts'

test('fitWidths gives every column its natural width where there is room', () => {
  expect(
    fitWidths(
      [
        { natural: 3, least: 1 },
        { natural: 9, least: 4 },
      ],
      20,
    ),
  ).toEqual([3, 9])
})

test('fitWidths shares the room of wide columns evenly', () => {
  const wide = { natural: 90, least: 4 }
  expect(fitWidths([{ natural: 3, least: 3 }, wide, wide], 24)).toEqual([3, 11, 10])
})

test('fitWidths uses the room, and exceeds it only for the least widths', () => {
  const column = fc
    .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 12 }))
    .map(([natural, least]) => ({ natural, least: Math.min(natural, least) }))
  fc.assert(
    fc.property(fc.array(column), fc.integer({ min: -5, max: 300 }), (columns, room) => {
      const total = fitWidths(columns, room).reduce((sum, width) => sum + width, 0)
      const least = columns.reduce((sum, { least }) => sum + least, 0)
      const natural = columns.reduce((sum, { natural }) => sum + natural, 0)
      expect(total).toBe(Math.max(least, Math.min(natural, room)))
    }),
  )
})
