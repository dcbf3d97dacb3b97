import type { QueryResult, SqlValue } from '../../query/query-result.ts'
import { escapeControls } from './escape-controls.ts'
import type { FormatOptions } from './format.ts'
import { describeBlob } from './quantities.ts'

/** A GitHub table. Cells cannot break out of it: pipes, HTML and line breaks are encoded. */
export function* formatMarkdown(
  { columns, rows }: QueryResult,
  { headers = true }: FormatOptions = {},
): Generator<string> {
  if (headers) {
    yield asLine(columns.map(encodeCell))
    yield asLine(columns.map(() => '---'))
  }
  for (const row of rows) yield asLine(row.map(encodeCell))
}

function asLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

function encodeCell(value: SqlValue): string {
  if (value === null) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const text = typeof value === 'string' ? value : describeBlob(value)
  return text
    .split(/\r?\n/)
    .map((line) => escapeControls(line.replace(/[\\|<]/g, '\\$&')))
    .join('<br>')
}
