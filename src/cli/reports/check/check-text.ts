import type { Finding } from '../../../conformance/checks/check-database.ts'
import type { Fault, Severity } from '../../../rules/rule.ts'
import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import { columnsOf } from '../../output/display-width.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { wrap } from '../../output/format-columns.ts'
import { formatCount } from '../../output/quantities.ts'
import { type Style, type Styles, stylesFor } from '../../output/styles.ts'
import { type Span, wrapSpans } from '../../output/wrap-spans.ts'
import {
  describeChecks,
  describeLimits,
  namesOf,
  placeOf,
  type ReportFormat,
  takePlaces,
  tallyOf,
  verdictOf,
} from './check-report.ts'
import { describeImport } from './import-table.ts'

/** Places listed per finding by default. */
const MOST = 3

const INDENT = safe` `.repeat(9)
const WIDTH = 100

/** A report for people: the most severe findings first, the verdict last. */
export const checkAsText: ReportFormat = function* (report, { stdout, env }) {
  const styles = stylesFor(stdout, env)
  // In a pipe every place and the verdict are one line each, for grep.
  const columns = columnsOf(stdout)
  const { ok, findings, most, withNotes = most !== undefined } = report
  for (const finding of findings) {
    const isBrief = finding.severity === 'note' && finding.count > 1 && !withNotes
    const shown = isBrief ? 0 : (most ?? MOST)
    for (const line of describeFinding(finding, styles, columns, shown)) yield safe`${line}\n`
    yield safe`\n`
  }
  const verdict: Span[] = [
    { text: safe`${escapeControls(namesOf(report))} `, style: styles.bold },
    { text: ownText(verdictOf(report)), style: ok ? styles.green : styles.red },
    { text: ownText(`: ${tallyOf(report)} in ${describeChecks(report)}`) },
  ]
  for (const line of wrapSpans(verdict, columns)) yield safe`${line}\n`
  for (const line of describeLimits(report)) {
    yield safe`${wrap(ownText(line), columns).join('\n')}\n`
  }
  yield* describeImport(report.importer, styles, columns)
}

function* describeFinding(
  finding: Finding,
  styles: Styles,
  columns: number,
  shown: number,
): Generator<SafeText> {
  const { severity, code, count, summary } = finding
  const style: Record<Severity, Style> = {
    error: styles.red,
    warning: styles.yellow,
    note: styles.cyan,
  }
  const times = count === 1 ? safe`` : safe` × ${formatCount(count)}`
  yield safe`${style[severity](ownText(severity).padEnd(INDENT.length))}${styles.bold(ownText(code))}${times}`
  yield* wrap(ownText(summary), Math.min(WIDTH, columns) - INDENT.length).map(
    (line) => safe`${INDENT}${line}`,
  )
  for (const place of takePlaces(finding, shown)) yield* describeFault(place, styles, columns)
  const hidden = count - shown
  if (shown > 0 && hidden > 0) {
    yield safe`${INDENT}- and ${formatCount(hidden)} more, listed by --places ${count}`
  }
}

function describeFault(fault: Fault, { dim }: Styles, columns: number): SafeText[] {
  const lines = (text: string) => wrap(escapeControls(text), columns - INDENT.length - 2)
  const message = lines(fault.message).map(
    (line, i) => safe`${INDENT}${i === 0 ? safe`- ` : safe`  `}${line}`,
  )
  const place = placeOf(fault)
  return place === ''
    ? message
    : [...message, ...lines(place).map((line) => safe`${INDENT}  ${dim(line)}`)]
}
