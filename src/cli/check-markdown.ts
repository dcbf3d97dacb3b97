import {
  describeChecks,
  describeIncomplete,
  placeOf,
  type ReportFormat,
  tallyOf,
  verdictOf,
} from './check-report.ts'
import { escapeControls } from './output/escape-controls.ts'
import { formatMarkdown } from './output/format-markdown.ts'

/** A report for a comment beside a build. */
export const checkAsMarkdown: ReportFormat = function* (report) {
  const { archive, findings } = report
  const name = escapeControls(archive).replace(/[\\`*_[\]<|]/g, '\\$&')
  const rows = findings.map(({ severity, code, count, summary, places: [first] }) => [
    ...[severity, code, count, summary],
    ...[first?.message ?? '', first ? placeOf(first) : ''],
  ])
  const columns = ['severity', 'code', 'count', 'why it matters', 'first', 'place']
  yield `**${name} ${verdictOf(report)}**: ${tallyOf(report)} in ${describeChecks(report)}\n`
  for (const line of describeIncomplete(report)) yield `\n${line}\n`
  if (rows.length > 0) yield `\n${[...formatMarkdown({ columns, rows })].join('').trimEnd()}\n`
}
