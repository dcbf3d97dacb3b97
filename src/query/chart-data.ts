import type { SqlValue } from './run-query.ts'

type Row = readonly SqlValue[]

/** The part of a result that can be drawn. */
export interface ChartData {
  /** The first column is a time, and each numeric column a line over it; otherwise rows are bars. */
  readonly isOverTime: boolean
  /** The columns to draw; at least one. */
  readonly drawn: readonly number[]
  /** The columns before this one name a bar. */
  readonly named: number
}

const TIME = /^\d{4}(-\d\d(-\d\d)?| Q[1-4])?$/
// Numbers that identify things and do not count them.
const NAMES = /(?:^|_)(?:number|id|line|year|issue|pull_request|archive|record|position)$/

/**
 * Decides how a result is drawn. Undefined if it has no numbers to draw.
 *
 * @param only names of columns to draw. Default: those that count something
 */
export function chartDataOf(
  columns: readonly string[],
  rows: readonly Row[],
  only?: readonly string[],
): ChartData | undefined {
  const numeric = columns.map((_, index) => index).filter((index) => isNumeric(rows, index))
  const counting = numeric.filter((index) => index > 0 && !NAMES.test(columns[index] ?? ''))
  const drawn = only?.map((name) => columns.indexOf(name)) ?? counting
  const [first] = drawn
  if (first === undefined || drawn.some((index) => !numeric.includes(index))) return undefined
  return { isOverTime: isOverTime(rows), drawn, named: Math.min(first, ...counting) }
}

/** Whether a column has numbers, and nothing else but NULL. */
export const isNumeric = (rows: readonly Row[], index: number): boolean => {
  const values = rows.map((row) => row[index]).filter((value) => value !== null)
  return values.length > 0 && values.every((value) => ['number', 'bigint'].includes(typeof value))
}

/** Whether each row has a later time than the previous one. */
const isOverTime = (rows: readonly Row[]): boolean =>
  rows.length > 1 &&
  rows.every(([time], i) => {
    const before = i > 0 ? String(rows[i - 1]?.[0]) : ''
    return TIME.test(String(time)) && String(time) > before
  })

const MONTH = /^(\d{4})-(\d\d)$/

/** All months from the first to the last; other times unchanged. */
export function fillMonths(times: readonly string[]): readonly string[] {
  const [first = '', last = ''] = [times[0], times.at(-1)]
  if (!times.every((time) => MONTH.test(time))) return times
  const filled: string[] = []
  for (let month = indexOf(first); month <= indexOf(last); month++) {
    const year = String(Math.floor(month / 12)).padStart(4, '0')
    filled.push(`${year}-${String((month % 12) + 1).padStart(2, '0')}`)
  }
  return filled
}

const indexOf = (month: string): number => {
  const [, year, number] = MONTH.exec(month) ?? []
  return Number(year) * 12 + Number(number) - 1
}
