import type { QueryResult, SqlValue } from '../../query/run-query.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from './escape-controls.ts'
import type { FormatOptions } from './format.ts'
import { describeBlob } from './quantities.ts'

/** A GitHub table. Cells cannot break out of it: pipes, HTML and line breaks are encoded. */
export function* formatMarkdown(
  { columns, rows }: QueryResult,
  { headers = true }: FormatOptions = {},
): Generator<SafeText> {
  if (headers) {
    yield asLine(columns.map(encodeCell))
    yield asLine(columns.map(() => safe`---`))
  }
  for (const row of rows) yield asLine(row.map(encodeCell))
}

function asLine(cells: readonly SafeText[]): SafeText {
  return safe`| ${cells.join(' | ')} |\n`
}

function encodeCell(value: SqlValue): SafeText {
  if (value === null) return safe``
  if (typeof value === 'number' || typeof value === 'bigint') return safe`${value}`
  const text = typeof value === 'string' ? value : describeBlob(value)
  return text
    .split(/\r?\n/)
    .map((line) => escapeControls(line.replace(/[\\|<]/g, '\\$&')))
    .join('<br>')
}
