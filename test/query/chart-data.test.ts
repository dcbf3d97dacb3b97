import { expect, test } from 'vitest'
import { chartDataOf, fillMonths } from '../../src/query/chart-data.ts'

test('Months continue into the next year; other times stay unchanged', () => {
  expect(fillMonths(['2023-11', '2024-02'])).toEqual(['2023-11', '2023-12', '2024-01', '2024-02'])
  expect(fillMonths(['2023', '2025'])).toEqual(['2023', '2025'])
})

test('Numbers that count are drawn, over time if the first column is one', () => {
  const months = [
    ['2024-01', 3, 'x'],
    ['2024-02', null, 'y'],
  ] as const
  expect(chartDataOf(['month', 'opened', 'name'], months)).toEqual({
    isOverTime: true,
    drawn: [1],
    named: 1,
  })
  const bars = [['ada', 7, 2]] as const
  expect(chartDataOf(['login', 'number', 'opened'], bars)).toMatchObject({
    isOverTime: false,
    drawn: [2],
  })
  expect(chartDataOf(['login'], [['ada']])).toBeUndefined()
})
