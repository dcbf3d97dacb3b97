import { chartDataOf, fillMonths } from '../../../query/chart-data.ts'
import type { QueryResult, SqlValue } from '../../../query/run-query.ts'
import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import { cutToWidth, displayWidth, padToWidth } from '../display-width.ts'
import { escapeControls } from '../escape-controls.ts'
import { formatTable } from '../format-table.ts'
import { describeBlob } from '../quantities.ts'
import { PLAIN_STYLES, type Styles } from '../styles.ts'
import { bar, type Ink, sparkline } from './sparkline.ts'

export interface ChartOptions {
  /** Maximum columns of a chart. */
  width: number
  ink: Ink
  styles?: Styles | undefined
  /** Names of numeric columns to draw. Default: those that count something. */
  only?: readonly string[] | undefined
}

type Row = readonly SqlValue[]

/** More rows than this are not drawn. */
const MOST_ROWS = 10_000
/**
 * Draws a result. If the first column is a time, each numeric column becomes a line; otherwise the first numeric column, or
 * the first of `only`, becomes bars. Returns undefined if there are no numbers to draw.
 */
export function formatChart(
  { columns, rows }: QueryResult,
  options: ChartOptions,
): SafeText | undefined {
  const drawn: Row[] = []
  let isCut = false
  for (const row of rows) {
    isCut = drawn.length === MOST_ROWS
    if (isCut) break
    drawn.push(row)
  }
  if (drawn.length === 0) return safe``
  const data = chartDataOf(columns, drawn, options.only)
  const [first] = data?.drawn ?? []
  if (!data || first === undefined) return undefined
  const chart = data.isOverTime
    ? drawLines(columns, drawn, data.drawn, options)
    : drawBars(drawn, { counting: first, named: data.named }, options)
  return isCut ? safe`${chart}more rows are not drawn\n` : chart
}

export interface Series {
  name: string
  /** By time, such as 2024-05. */
  values: ReadonlyMap<string, number>
}

/** A line per series over the same time, with its minimum and maximum. */
export function drawSeries(
  series: readonly Series[],
  { width, ink, styles = PLAIN_STYLES }: ChartOptions,
): SafeText {
  const times = fillMonths([...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort())
  const rows = series.map(({ name, values }) => {
    const all = times.map((time) => values.get(time) ?? 0)
    return { name, all, least: min(all), most: -min(all.map((value) => -value)) }
  })
  const texts = rows.map(({ name, least, most }) => [escapeControls(name), `${least}`, `${most}`])
  const taken = ['', 'min', 'max'].map((title, i) =>
    Math.max(title.length, ...texts.map((row) => displayWidth(row[i] ?? ''))),
  )
  const room = Math.max(10, width - taken.reduce((sum, column) => sum + column + 2, 0))
  const columns = ['', 'min', 'max', `${times[0]} to ${times.at(-1)}${spanOf(times, room)}`]
  const table = {
    columns,
    rows: rows.map(({ name, least, most, all }) => [name, least, most, sparkline(all, room, ink)]),
  }
  return [...formatTable(table, { styles })].join('')
}

/** The times that one character of a line covers, if more than one. */
function spanOf(times: readonly string[], room: number): string {
  const each = Math.ceil(times.length / room)
  if (each < 2) return ''
  const unit = /Q/.test(times[0] ?? '') ? 'quarters' : UNITS[times[0]?.length ?? 0]
  return `, each ${each} ${unit ?? 'rows'}`
}

const UNITS: Readonly<Record<number, string>> = { 4: 'years', 7: 'months', 10: 'days' }

const min = (values: readonly number[]) =>
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)

function drawLines(
  columns: readonly string[],
  rows: readonly Row[],
  counting: readonly number[],
  options: ChartOptions,
): SafeText {
  const series = counting.map((index) => ({
    name: columns[index] ?? '',
    values: new Map(rows.map((row) => [String(row[0]), Number(row[index] ?? 0)])),
  }))
  return drawSeries(series, options)
}

/** A bar per row, after the columns before the first number. */
function drawBars(
  rows: readonly Row[],
  { counting, named }: { counting: number; named: number },
  { width, ink, styles = PLAIN_STYLES }: ChartOptions,
): SafeText {
  const labels = rows.map((row) => {
    const parts = row.slice(0, named).filter((value) => value !== null)
    // Ignore the rest of a text of megabytes.
    const shown = parts.map((part) =>
      part instanceof Uint8Array ? describeBlob(part) : String(part).slice(0, width * 8),
    )
    return cutToWidth(escapeControls(shown.join(' ')), Math.max(8, Math.floor(width / 2)))
  })
  const values = rows.map((row) => row[counting] ?? null)
  const most = values.reduce<number>((most, value) => Math.max(most, Number(value ?? 0)), 0)
  const texts = values.map((value) => (value === null ? '' : String(value)))
  const labelled = labels.reduce((widest, label) => Math.max(widest, displayWidth(label)), 0)
  const numbered = texts.reduce((widest, text) => Math.max(widest, text.length), 0)
  const room = Math.max(10, width - labelled - numbered - 4)
  const lines = labels.map((label, i) => {
    const share = most > 0 ? Number(values[i] ?? 0) / most : 0
    const [name, number] = [
      padToWidth(label, labelled, 'right'),
      ownText(texts[i]?.padStart(numbered) ?? ''),
    ]
    return safe`${name}  ${number}  ${styles.cyan(bar(share, room, ink))}`.trimEnd()
  })
  return safe`${lines.join('\n')}\n`
}
