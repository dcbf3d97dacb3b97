import type { Fault, Severity } from '../check/check.ts'
import type { Finding } from '../check/check-database.ts'
import { describeChecks, placeOf, type ReportFormat, tallyOf, verdictOf } from './check-report.ts'
import { escapeControls } from './output/escape-controls.ts'
import { wrap } from './output/format-columns.ts'
import { formatCount } from './output/quantities.ts'
import { type Style, type Styles, stylesFor } from './output/styles.ts'

/** Places shown of each finding; notes show none, because most archives have many of the same. */
const MOST = 3

const INDENT = ' '.repeat(9)
const WIDTH = 100

/** A report as a person reads it: what matters most first, the verdict last. */
export const checkAsText: ReportFormat = (report, { stdout, env }) => {
  const styles = stylesFor(stdout, env)
  const width = Math.min(WIDTH, stdout.isTTY ? stdout.columns || 80 : WIDTH)
  const { archive, ok, findings } = report
  const verdict = (ok ? styles.green : styles.red)(verdictOf(report))
  const name = styles.bold(escapeControls(archive))
  return [
    ...findings.flatMap((finding) => [...describeFinding(finding, styles, width), '']),
    `${name} ${verdict}: ${tallyOf(report)} in ${describeChecks(report)}`,
  ].join('\n')
}

function describeFinding(finding: Finding, styles: Styles, width: number): string[] {
  const { severity, code, count, summary, places } = finding
  const style: Record<Severity, Style> = {
    error: styles.red,
    warning: styles.yellow,
    note: styles.cyan,
  }
  const shown = severity === 'note' ? [] : places.slice(0, MOST)
  const hidden = count - shown.length
  const times = count === 1 ? '' : ` × ${formatCount(count)}`
  return [
    `${style[severity](severity.padEnd(INDENT.length))}${styles.bold(code)}${times}`,
    ...wrap(summary, width - INDENT.length).map((line) => INDENT + line),
    ...shown.flatMap((place) => describeFault(place, styles)),
    ...(shown.length > 0 && hidden > 0 ? [`${INDENT}- and ${formatCount(hidden)} more`] : []),
    ...(severity === 'note' && count === 1 ? describeFault(places[0] as Fault, styles) : []),
  ]
}

function describeFault(fault: Fault, { dim }: Styles): string[] {
  const place = placeOf(fault)
  const line = `${INDENT}- ${escapeControls(fault.message)}`
  return place === '' ? [line] : [line, `${INDENT}  ${dim(escapeControls(place))}`]
}
