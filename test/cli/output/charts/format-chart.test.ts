import { describe, expect, test } from 'vitest'
import {
  type ChartOptions,
  drawSeries,
  fillMonths,
  formatChart,
} from '../../../../src/cli/output/charts/format-chart.ts'
import { bar, inkFor, sparkline } from '../../../../src/cli/output/charts/sparkline.ts'
import type { SqlValue } from '../../../../src/query/run-query.ts'

const draw = (columns: string[], rows: Iterable<SqlValue[]>, options: Partial<ChartOptions> = {}) =>
  formatChart({ columns, rows }, { width: 40, ink: 'blocks', ...options })

describe('bars', () => {
  const columns = ['who', 'comments']
  const rows = [
    ['ada', 10],
    ['grace', 5],
    ['日本', 1],
    [null, 0],
  ]

  test('are as long as their numbers, behind what stands before them', () => {
    expect(draw(columns, rows, { width: 21 })?.split('\n')).toEqual([
      'ada    10  ██████████',
      'grace   5  █████',
      '日本    1  █',
      '        0',
      '',
    ])
  })

  test('are plain text where there are no blocks', () => {
    expect(draw(columns, rows, { width: 21, ink: 'ascii' })).toContain('\ngrace   5  #####\n')
  })

  test('pass over columns that name things, and count what has a name', () => {
    const text = draw(['full_name', 'number', 'n'], [['a/b', 7, 3]], { width: 21 })
    expect(text).toBe('a/b 7  3  ███████████\n')
  })

  test('fit the width, and show no control characters', () => {
    const hostile = `\x1b[2J\u202e${'x'.repeat(10_000_000)}`
    const lines =
      draw(columns, [
        [hostile, 3],
        ['a', 9_007_199_254_740_993n],
      ])?.split('\n') ?? []
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(54)
    expect(lines[0]).toContain('\\x1b[2J\\u{202e}')
    expect(lines[1]).toContain('9007199254740993')
  })

  test('of numbers below nothing are none', () => {
    expect(
      draw(columns, [
        ['a', -3],
        ['b', 3],
      ]),
    ).toMatch(/^a {2}-3\nb {3}3 {2}█+\n$/)
  })
})

describe('lines', () => {
  test('show each column of numbers over time, and the months in which there was nothing', () => {
    const rows = [
      ['2024-11', 1, 0],
      ['2024-12', 8, 0],
      ['2025-03', 4, 2],
    ]
    expect(draw(['month', 'issues', 'pulls'], rows)?.split('\n')).toEqual([
      '        least  most  2024-11 to 2025-03',
      '------  -----  ----  ------------------',
      'issues      0     8  ▃█▁▁▅',
      'pulls       0     2  ▁▁▁▁█',
      '',
    ])
  })

  test('are added up where there are more times than columns', () => {
    const rows = Array.from({ length: 100 }, (_, i) => [String(1900 + i), 1])
    const [, , line = ''] = draw(['year', 'n'], rows)?.split('\n') ?? []
    expect(line).toMatch(/^n +1 +1 {2}█{20,25}$/)
    expect(line.length).toBeLessThanOrEqual(40)
  })

  test('are for times in order only', () => {
    expect(
      draw(
        ['year', 'n'],
        [
          ['2024', 1],
          ['2023', 1],
        ],
      ),
    ).toMatch(/^2024 {2}1 {2}█/)
  })
})

test('Nothing is drawn of no rows, and nothing can be drawn without numbers', () => {
  expect(draw(['a', 'b'], [])).toBe('')
  expect(draw(['a', 'b'], [['x', 'y']])).toBeUndefined()
  expect(draw(['n'], [[1]])).toBeUndefined()
})

test('No more rows are read than are drawn, and this is said', () => {
  let read = 0
  const rows = function* (): Generator<SqlValue[]> {
    for (;;) yield [`x${read++}`, 1]
  }
  expect(draw(['a', 'n'], rows())).toMatch(/\nmore rows are not drawn\n$/)
  expect(read).toBe(10_001)
})

test('Even a little is more than nothing', () => {
  expect(sparkline([0, 1, 1000], 10, 'blocks')).toBe('▁▂█')
  expect(sparkline([0, 0], 10, 'ascii')).toBe('__')
  expect([bar(0, 10, 'ascii'), bar(0.001, 10, 'ascii'), bar(2, 3, 'ascii')]).toEqual([
    '',
    '#',
    '###',
  ])
  expect([bar(0, 10, 'blocks'), bar(0.001, 10, 'blocks')]).toEqual(['', '▏'])
})

test('Blocks are for locales that have them', () => {
  expect(inkFor({ LANG: 'de_DE.UTF-8' })).toBe('blocks')
  expect(inkFor({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe('ascii')
  expect(inkFor({ LANG: 'C.utf8', TERM: 'dumb' })).toBe('ascii')
  expect(inkFor({})).toBe('ascii')
})

test('Months go on over the end of a year; other times stay as they are', () => {
  expect(fillMonths(['2023-11', '2024-02'])).toEqual(['2023-11', '2023-12', '2024-01', '2024-02'])
  expect(fillMonths(['2023', '2025'])).toEqual(['2023', '2025'])
})

test('A line says what a character covers where that is more than one month', () => {
  const months = Array.from({ length: 48 }, (_, i) => [
    `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    i,
  ])
  const series = [{ name: 'issues', values: new Map(months as [string, number][]) }]
  expect(drawSeries(series, { width: 80, ink: 'ascii' })).toContain('2020-01 to 2023-12\n')
  expect(drawSeries(series, { width: 40, ink: 'ascii' })).toContain(
    '2020-01 to 2023-12, each 3 months\n',
  )
})
