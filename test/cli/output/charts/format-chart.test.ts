import { describe, expect, test } from 'vitest'
import {
  type ChartOptions,
  drawSeries,
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

  test('are as long as their numbers, after the label', () => {
    expect(draw(columns, rows, { width: 21 })?.split('\n')).toEqual([
      'ada    10  ██████████',
      'grace   5  █████',
      '日本    1  █',
      '        0',
      '',
    ])
  })

  test('are ASCII without blocks', () => {
    expect(draw(columns, rows, { width: 21, ink: 'ascii' })).toContain('\ngrace   5  #####\n')
  })

  test('skip columns that identify things', () => {
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

  test('of negative numbers are empty', () => {
    expect(
      draw(columns, [
        ['a', -3],
        ['b', 3],
      ]),
    ).toMatch(/^a {2}-3\nb {3}3 {2}█+\n$/)
  })
})

describe('lines', () => {
  test('show each numeric column over time, including empty months', () => {
    const rows = [
      ['2024-11', 1, 0],
      ['2024-12', 8, 0],
      ['2025-03', 4, 2],
    ]
    expect(draw(['month', 'issues', 'pulls'], rows)?.split('\n')).toEqual([
      '        min  max  2024-11 to 2025-03',
      '------  ---  ---  ------------------',
      'issues    0    8  ▂█  ▅',
      'pulls     0    2      █',
      '',
    ])
  })

  test('add values if there are more times than columns', () => {
    const rows = Array.from({ length: 100 }, (_, i) => [String(1900 + i), 1])
    const [, , line = ''] = draw(['year', 'n'], rows)?.split('\n') ?? []
    expect(line).toMatch(/^n +1 +1 {2}█{20,25}$/)
    expect(line.length).toBeLessThanOrEqual(40)
  })

  test('are only for times in order', () => {
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

test('No rows draw an empty chart; without numbers nothing can be drawn', () => {
  expect(draw(['a', 'b'], [])).toBe('')
  expect(draw(['a', 'b'], [['x', 'y']])).toBeUndefined()
  expect(draw(['n'], [[1]])).toBeUndefined()
})

test('No more rows are read than are drawn, and the chart says so', () => {
  let read = 0
  const rows = function* (): Generator<SqlValue[]> {
    for (;;) yield [`x${read++}`, 1]
  }
  expect(draw(['a', 'n'], rows())).toMatch(/\nmore rows are not drawn\n$/)
  expect(read).toBe(10_001)
})

test('A small value is still visible, and zero is not', () => {
  expect(sparkline([0, 1, 1000], 10, 'blocks')).toBe(' ▁█')
  expect(sparkline([0, 1, 1000], 10, 'ascii')).toBe(' _#')
  expect([bar(0, 10, 'ascii'), bar(0.001, 10, 'ascii'), bar(2, 3, 'ascii')]).toEqual([
    '',
    '#',
    '###',
  ])
  expect([bar(0, 10, 'blocks'), bar(0.001, 10, 'blocks')]).toEqual(['', '▏'])
})

test('Blocks are used in UTF-8 locales', () => {
  expect(inkFor({ LANG: 'de_DE.UTF-8' })).toBe('blocks')
  expect(inkFor({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe('ascii')
  expect(inkFor({ LANG: 'C.utf8', TERM: 'dumb' })).toBe('ascii')
  expect(inkFor({})).toBe('ascii')
})

test('A line says how many months a character covers', () => {
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
