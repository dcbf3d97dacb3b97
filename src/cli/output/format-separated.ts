import { asBuffer } from '../../base/streams.ts'
import { csvSafe } from '../../query/csv-safe.ts'
import type { QueryResult, SqlValue } from '../../query/run-query.ts'
import { asStored, ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from './escape-controls.ts'
import type { FormatOptions } from './format.ts'

type EncodeCell = (text: string) => string

const ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
}

/** RFC 4180 with plain line feeds; NULL is an empty cell, a blob is base64. */
export function* formatCsv(result: QueryResult, options: FormatOptions = {}): Generator<SafeText> {
  for (const cells of encodeRows(result, options, (text) => text)) {
    const line = cells.map(quoteCell).join(',')
    // Most readers ignore an empty line.
    yield line === '' ? safe`""\n` : safe`${line}\n`
  }
}

/** One row per line; tab, line break and backslash in cells are written `\t`, `\n`, `\r`, `\\`. */
export function* formatTsv(result: QueryResult, options: FormatOptions = {}): Generator<SafeText> {
  for (const cells of encodeRows(result, options, escapeSeparators))
    yield safe`${cells.join(safe`\t`)}\n`
}

function* encodeRows(
  { columns, rows }: QueryResult,
  { headers = true, csvSafe: isSafe = false, terminal = false }: FormatOptions,
  encode: EncodeCell,
): Generator<SafeText[]> {
  const encodeCell = (value: SqlValue): SafeText => {
    if (value === null) return safe``
    if (typeof value === 'number' || typeof value === 'bigint') return ownText(String(value))
    const text = typeof value === 'string' ? value : asBuffer(value).toString('base64')
    const encoded = encode(isSafe ? csvSafe(text) : text)
    return terminal ? escapeControls(encoded) : asStored(encoded)
  }
  if (headers) yield columns.map(encodeCell)
  for (const row of rows) yield row.map(encodeCell)
}

function quoteCell(text: SafeText): SafeText {
  return /[",\r\n]/.test(text) ? safe`"${text.replaceAll('"', safe`""`)}"` : text
}

function escapeSeparators(text: string): string {
  return text.replace(/[\t\n\r\\]/g, (character) => ESCAPES[character] ?? character)
}
