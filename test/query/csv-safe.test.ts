import { expect, test } from 'vitest'
import { csvSafe } from '../../src/query/csv-safe.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
  'Q3: %j begins with an apostrophe',
  (cell) => expect(csvSafe(cell)).toBe(`'${cell}`),
)

test.each(['', 'a=1', "'=1", ' =1'])('%j stays as it is', (cell) =>
  expect(csvSafe(cell)).toBe(cell),
)
