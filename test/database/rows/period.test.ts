import { expect, test } from 'vitest'
import { inPeriod } from '../../../src/database/rows/period.ts'

test('A period includes its first and its last moment, in whole seconds', () => {
  const [since, until] = [new Date('1970-01-01T00:00:01.5Z'), new Date('1970-01-01T00:00:09.5Z')]
  expect(inPeriod('t', { since, until })).toEqual(['t >= 2', 't <= 9'])
  expect(inPeriod('t', { until })).toEqual(['t <= 9'])
  expect(inPeriod('t', {})).toEqual([])
})
