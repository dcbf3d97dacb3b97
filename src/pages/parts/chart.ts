import { chartDataOf, fillMonths, isNumeric } from '../../query/chart-data.ts'
import type { SqlValue } from '../../query/run-query.ts'
import type { Answer } from '../../tasks/answer.ts'
import { type Html, html, isolated } from '../html.ts'
import { formatNumber } from './elements.ts'
import { keptFields } from './query.ts'

/** Bars of a chart; the table below has all rows. */
const MOST_BARS = 30
const WIDTH = 640
const HEIGHT = 64

/** The columns that a person chose: what names a bar or is the time, and what is counted. */
export interface ChartChoice {
  readonly x?: string | undefined
  readonly y?: string | undefined
}

/**
 * A result as a chart: lines over time, or bars. Nothing if it has no numbers to draw; the table says the same in words.
 * Without a choice, columns that count something are drawn over the first ones.
 */
export function chart(answer: Pick<Answer, 'columns' | 'rows'>, choice: ChartChoice = {}): Html {
  const { columns, rows } = withFirst(answer, choice.x)
  if (rows.length === 0) return html``
  const data = chartDataOf(columns, rows, choice.y === undefined ? undefined : [choice.y])
  if (!data) return html``
  return data.isOverTime
    ? lines(columns, rows, data.drawn)
    : bars(columns, rows, choice.x === undefined ? data : { ...data, named: 1 })
}

/** The answer with a column first, if it has it. */
function withFirst(
  { columns, rows }: Pick<Answer, 'columns' | 'rows'>,
  name: string | undefined,
): Pick<Answer, 'columns' | 'rows'> {
  const at = name === undefined ? -1 : columns.indexOf(name)
  if (at <= 0) return { columns, rows }
  const move = <Value>(values: readonly Value[]) => [
    ...values.slice(at, at + 1),
    ...values.slice(0, at),
    ...values.slice(at + 1),
  ]
  return { columns: move(columns), rows: rows.map(move) }
}

/** Fields to choose the columns of a chart; nothing if there is nothing to choose. */
export function chartForm(
  { columns, rows }: Pick<Answer, 'columns' | 'rows'>,
  { x, y }: ChartChoice,
  { path, query }: { path: string; query: URLSearchParams },
): Html {
  const measures = columns.filter((_, i) => isNumeric(rows, i))
  if (rows.length < 2 || columns.length < 2 || measures.length === 0) return html``
  const [drawn = columns.indexOf(measures[0] ?? '')] = chartDataOf(columns, rows)?.drawn ?? []
  const measure = y ?? columns[drawn]
  const over = x ?? columns.find((name) => name !== measure)
  const kept = keptFields(query, (name) => /^(?:x|y|format)$/.test(name))
  const select = (name: string, label: string, names: readonly string[], chosen?: string) =>
    html`<label>${label} <select name="${name}">${names.map((each) => html`<option value="${each}"${each === chosen ? html` selected` : ''}>${each}</option>`)}</select></label>`
  return html`<form class="chart-form" action="${path}">${kept}${select('y', 'Draw', measures, measure)} ${select('x', 'by', columns, over)} <button type="submit" class="act">Draw</button></form>`
}

function lines(
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  drawn: readonly number[],
): Html {
  const times = fillMonths(rows.map(([time]) => String(time)))
  const series = drawn.map((column) => {
    const values = new Map(rows.map((row) => [String(row[0]), Number(row[column] ?? 0)]))
    return { name: columns[column] ?? '', values: times.map((time) => values.get(time) ?? 0) }
  })
  // Among others, a column of zeros only takes room.
  const telling = series.filter(({ values }) => values.some((value) => value > 0))
  const shown = telling.length > 0 ? telling : series
  return html`<div class="charts" aria-hidden="true">${shown.map(({ name, values }) => {
    const most = values.reduce((max, value) => Math.max(max, value), 0)
    const step = WIDTH / Math.max(1, values.length)
    const columnsOf = values.map((value, i) => {
      const height = most > 0 ? (Math.max(0, value) / most) * HEIGHT : 0
      if (height === 0) return ''
      return html`<rect x="${(i * step).toFixed(1)}" y="${(HEIGHT - height).toFixed(1)}" width="${Math.max(0.5, step - (step > 4 ? 1 : 0)).toFixed(1)}" height="${height.toFixed(1)}"><title>${times[i]}: ${formatNumber(value)}</title></rect>`
    })
    return html`<div class="series"><p><b>${isolated(name.replaceAll('_', ' '))}</b> <span class="muted">up to ${formatNumber(most)}</span></p>
<svg width="100%" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${columnsOf}</svg></div>`
  })}<p class="muted span"><span>${times[0]}</span><span>${times.at(-1)}</span></p></div>`
}

function bars(
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  { drawn, named }: { drawn: readonly number[]; named: number },
): Html {
  const [column = 0] = drawn
  const shown = rows.slice(0, MOST_BARS)
  const most = shown.reduce((max, row) => Math.max(max, Number(row[column] ?? 0)), 0)
  // A column that is the same in all rows does not name any of them.
  const naming = [...columns.keys()].slice(0, named)
  const telling = naming.filter((i) => new Set(shown.map((row) => row[i])).size > 1)
  const names = telling.length > 0 ? telling : naming
  return html`<div class="charts" aria-hidden="true"><p><b>${isolated((columns[column] ?? '').replaceAll('_', ' '))}</b></p><ul class="bars">${shown.map(
    (row) => {
      const texts = row
        .filter((_, i) => names.includes(i))
        .filter((value) => value !== null)
        .map((value) => String(value).slice(0, LONGEST))
      const name = texts.length > 0 ? texts.join(' ') : '–'
      const value = Number(row[column] ?? 0)
      const width = most > 0 ? (Math.max(0, value) / most) * 100 : 0
      return html`<li><span class="name">${isolated(name)}</span> <svg width="100%" height="14" viewBox="0 0 100 14" preserveAspectRatio="none"><rect width="${width.toFixed(2)}" height="14"><title>${name}: ${formatNumber(value)}</title></rect></svg> <span class="value">${formatNumber(value)}</span></li>`
    },
  )}</ul></div>`
}

const LONGEST = 80
