import type { Fault, Severity } from '../check/check.ts'
import type { Finding } from '../check/check-database.ts'
import { describeChecks, placeOf, type ReportFormat, tallyOf, verdictOf } from './check-report.ts'
import { escapeControls } from './output/escape-controls.ts'
import { wrap } from './output/format-columns.ts'
import { formatCount } from './output/quantities.ts'
import { type Style, type Styles, stylesFor } from './output/styles.ts'
import { wrapSpans } from './output/wrap-spans.ts'

/** Places shown of each finding; notes show none, because most archives have many of the same. */
const MOST = 3

const INDENT = ' '.repeat(9)
const WIDTH = 100

/** A report as a person reads it: what matters most first, the verdict last. */
export const checkAsText: ReportFormat = (report, { stdout, env }) => {
  const styles = stylesFor(stdout, env)
  // In a pipe a place and the verdict are a line each, to be searched.
  const columns = stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY
  const { archive, ok, findings } = report
  const verdict = [
    { text: `${escapeControls(archive)} `, style: styles.bold },
    { text: verdictOf(report), style: ok ? styles.green : styles.red },
    { text: `: ${tallyOf(report)} in ${describeChecks(report)}` },
  ]
  return [
    ...findings.flatMap((finding) => [...describeFinding(finding, styles, columns), '']),
    ...wrapSpans(verdict, columns),
  ].join('\n')
}

function describeFinding(finding: Finding, styles: Styles, columns: number): string[] {
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
    ...wrap(summary, Math.min(WIDTH, columns) - INDENT.length).map((line) => INDENT + line),
    ...shown.flatMap((place) => describeFault(place, styles, columns)),
    ...(shown.length > 0 && hidden > 0 ? [`${INDENT}- and ${formatCount(hidden)} more`] : []),
    ...(severity === 'note' && count === 1
      ? describeFault(places[0] as Fault, styles, columns)
      : []),
  ]
}

function describeFault(fault: Fault, { dim }: Styles, columns: number): string[] {
  const lines = (text: string) => wrap(escapeControls(text), columns - INDENT.length - 2)
  const message = lines(fault.message).map((line, i) => `${INDENT}${i === 0 ? '- ' : '  '}${line}`)
  const place = placeOf(fault)
  return place === ''
    ? message
    : [...message, ...lines(place).map((line) => `${INDENT}  ${dim(line)}`)]
}
