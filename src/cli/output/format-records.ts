import type { QueryResult, SqlValue } from '../../query/run-query.ts'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'
import { escapeControls } from './escape-controls.ts'
import type { FormatOptions } from './format.ts'
import { describeBlob } from './quantities.ts'
import { type SafeText, safe } from './safe-text.ts'
import { PLAIN_STYLES } from './styles.ts'

/** A block of lines for each row, a line for each value; for results too wide to be a table. */
export function* formatRecords(
  { columns, rows }: QueryResult,
  { width = 80, styles = PLAIN_STYLES }: FormatOptions,
): Generator<SafeText> {
  const names = columns.map((name) => cutToWidth(escapeControls(name), Math.floor(width / 2)))
  const widest = Math.max(...names.map(displayWidth))
  let before = safe``
  for (const row of rows) {
    const lines = names.map((name, index) => {
      const value = asText(row[index] ?? null, width - widest - 2)
      return safe`${styles.bold(padToWidth(name, widest, 'right'))}  ${value}`.trimEnd()
    })
    yield safe`${before}${lines.join('\n')}\n`
    before = safe`\n`
  }
}

function asText(value: SqlValue, width: number): SafeText {
  if (typeof value === 'number' || typeof value === 'bigint') return safe`${value}`
  if (value === null) return safe``
  // A character takes eight code units at most in all but contrived text.
  const text = typeof value === 'string' ? value.slice(0, width * 8) : describeBlob(value)
  return cutToWidth(escapeControls(text), width)
}
