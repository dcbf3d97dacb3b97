import type { QueryResult, SqlValue } from '../../query/run-query.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'
import { escapeControls } from './escape-controls.ts'
import { fitWidths } from './fit-widths.ts'
import type { FormatOptions } from './format.ts'
import { describeBlob } from './quantities.ts'
import { PLAIN_STYLES } from './styles.ts'

type Row = readonly SqlValue[]

interface Layout {
  names: readonly string[]
  widths: readonly number[]
  numeric: readonly boolean[]
  cut: number | undefined
}

const GAP = safe`  `
// Widths are measured on this many rows or bytes.
const SAMPLE_ROWS = 1_000
const SAMPLE_SIZE = 8_000_000
// Later rows may have longer cells than the sample; leave room for a timestamp.
const ROOM_FOR_LATER_ROWS = 20
const LEAST_WIDTH = 4
const LEAST_HEADER = 12
// Fewer columns are always a table, even if it does not fit.
const MANY_COLUMNS = 6

/**
 * Aligned columns: numbers to the right, NULL empty, text cut to fit `width`, numbers never cut. If many columns do not fit,
 * each row becomes a block of lines.
 */
export function* formatTable(
  { columns, rows }: QueryResult,
  input: FormatOptions = {},
): Generator<SafeText> {
  // A terminal of unknown width reports 0.
  const options = { ...input, width: input.width || undefined }
  if (isTooWide(columns, options)) {
    yield* formatRecords({ columns, rows }, options)
    return
  }
  const sample: Row[] = []
  let size = 0
  let layout: Layout | undefined
  for (const row of rows) {
    if (layout !== undefined) {
      yield asLine(row, layout)
      continue
    }
    sample.push(row)
    for (const value of row) size += sizeOf(value)
    if (sample.length >= SAMPLE_ROWS || size >= SAMPLE_SIZE) {
      layout = measure(columns, sample, ROOM_FOR_LATER_ROWS, options)
      yield* beginTable(layout, sample, options)
      sample.length = 0
    }
  }
  if (layout === undefined) {
    yield* beginTable(measure(columns, sample, 0, options), sample, options)
  }
}

/** Whether there are many columns whose names do not fit. */
function isTooWide(
  columns: readonly string[],
  { headers = true, width = Number.POSITIVE_INFINITY }: FormatOptions,
): boolean {
  if (!headers || columns.length < MANY_COLUMNS) return false
  const least = columns.map((name) => Math.min(LEAST_HEADER, Math.max(LEAST_WIDTH, name.length)))
  return least.reduce((sum, room) => sum + room + GAP.length, -GAP.length) > width
}

function* beginTable(
  layout: Layout,
  sample: readonly Row[],
  { headers = true, styles = PLAIN_STYLES }: FormatOptions,
): Generator<SafeText> {
  if (headers && layout.names.length > 0) {
    const rule = layout.widths.map((width) => safe`-`.repeat(width)).join(GAP)
    yield safe`${styles.bold(asLine(layout.names, layout).trimEnd())}\n${styles.dim(rule)}\n`
  }
  for (const row of sample) yield asLine(row, layout)
}

function measure(
  names: readonly string[],
  sample: readonly Row[],
  textRoom: number,
  { headers = true, width }: FormatOptions,
): Layout {
  const numeric = names.map((_, index) => isNumeric(sample, index))
  const wishes = names.map((name, index) => {
    const header = headers ? displayWidth(asText(name, width)) : 0
    const cells = sample.reduce(
      (widest, row) => Math.max(widest, displayWidth(asText(row[index] ?? null, width))),
      0,
    )
    const natural = Math.max(1, header, cells)
    const useful = Math.max(LEAST_WIDTH, Math.min(header, LEAST_HEADER))
    return { natural, least: Math.min(natural, numeric[index] ? Math.max(cells, useful) : useful) }
  })
  // Columns share the remaining room, for longer cells in later rows.
  const roomy = (least: readonly number[]) =>
    wishes.map(({ natural }, index) => ({
      natural: Math.max(natural, numeric[index] ? 0 : textRoom),
      least: least[index] ?? 0,
    }))
  const room = width === undefined ? undefined : width - GAP.length * (names.length - 1)
  const widths =
    room === undefined
      ? roomy([]).map(({ natural }) => natural)
      : fitWidths(roomy(fitWidths(wishes, room)), room)
  return { names, widths, numeric, cut: width }
}

function isNumeric(sample: readonly Row[], index: number): boolean {
  const values = sample.map((row) => row[index] ?? null).filter((value) => value !== null)
  return values.length > 0 && values.every(isNumber)
}

function isNumber(value: SqlValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function sizeOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

function asLine(row: Row, { widths, numeric, cut }: Layout): SafeText {
  const cells = widths.map((width, index) => {
    const value = row[index] ?? null
    const text = asText(value, cut)
    // A cut number would be a wrong number.
    const fitting = cut === undefined || isNumber(value) ? text : cutToWidth(text, width)
    if (numeric[index]) return padToWidth(fitting, width, 'left')
    return index === widths.length - 1 ? fitting : padToWidth(fitting, width, 'right')
  })
  return safe`${cells.join(GAP).trimEnd()}\n`
}

function asText(value: SqlValue, cut: number | undefined): SafeText {
  if (value === null) return safe``
  if (value instanceof Uint8Array) return describeBlob(value)
  return escapeControls(typeof value === 'string' ? shorten(value, cut) : String(value))
}

/** Shortens megabytes of text, of which a terminal shows one line. */
function shorten(text: string, cut: number | undefined): string {
  const most = (cut ?? Number.POSITIVE_INFINITY) * 8
  return text.length <= most ? text : `${text.slice(0, most).replace(/\p{Cs}$/u, '')}…`
}

/** A block of lines for each row, a line for each value; for results too wide for a table. */
function* formatRecords(
  { columns, rows }: QueryResult,
  { width = 80, styles = PLAIN_STYLES }: FormatOptions,
): Generator<SafeText> {
  const names = columns.map((name) => cutToWidth(escapeControls(name), Math.floor(width / 2)))
  const widest = Math.max(...names.map(displayWidth))
  let before = safe``
  for (const row of rows) {
    const lines = names.map((name, index) => {
      const value = shownValue(row[index] ?? null, width - widest - 2)
      return safe`${styles.bold(padToWidth(name, widest, 'right'))}  ${value}`.trimEnd()
    })
    yield safe`${before}${lines.join('\n')}\n`
    before = safe`\n`
  }
}

function shownValue(value: SqlValue, width: number): SafeText {
  if (typeof value === 'number' || typeof value === 'bigint') return safe`${value}`
  if (value === null) return safe``
  // A character takes at most eight code units, except in contrived text.
  const text = typeof value === 'string' ? value.slice(0, width * 8) : describeBlob(value)
  return cutToWidth(escapeControls(text), width)
}
