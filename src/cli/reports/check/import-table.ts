import { type ImportLine, importTable } from '../../../conformance/checks/importer.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { wrap } from '../../output/format-columns.ts'
import { formatTable } from '../../output/format-table.ts'
import type { Styles } from '../../output/styles.ts'

const INDENT = safe`  `

/** The table for people: counts in columns, then what becomes of each kind that does not arrive as it is, a line each. */
export function* describeImport(
  lines: readonly ImportLine[],
  styles: Styles,
  columns: number,
): Generator<SafeText> {
  if (lines.length === 0) return
  const counted = importTable(lines.filter(({ records }) => records !== null))
  const [numbers, rows] = [counted.columns.slice(0, 5), counted.rows.map((row) => row.slice(0, 5))]
  yield safe`\n`
  yield* formatTable({ columns: numbers, rows }, { styles })
  const others = lines.filter(({ why }) => why !== null)
  if (others.length > 0) yield safe`\n${styles.bold(safe`Changed, not taken, or in no archive`)}\n`
  for (const { kind, why, known, source } of others) {
    const text = escapeControls(`${kind}: ${why} (${known}: ${source})`)
    const [first = safe``, ...more] = wrap(text, columns - INDENT.length)
    yield safe`- ${first}\n`
    for (const line of more) yield safe`${INDENT}${line}\n`
  }
}
