import { describeChecks, placeOf, type ReportFormat, tallyOf, verdictOf } from './check-report.ts'
import { escapeControls } from './output/escape-controls.ts'
import { formatMarkdown } from './output/format-markdown.ts'

/** A report for a comment beside a build. */
export const checkAsMarkdown: ReportFormat = (report) => {
  const { archive, findings } = report
  const name = escapeControls(archive).replace(/[\\`*_[\]<|]/g, '\\$&')
  const rows = findings.map(({ severity, code, count, summary, places: [first] }) => [
    ...[severity, code, count, summary],
    ...[first?.message ?? '', first ? placeOf(first) : ''],
  ])
  const columns = ['severity', 'code', 'count', 'why it matters', 'first', 'place']
  return [
    `**${name} ${verdictOf(report)}**: ${tallyOf(report)} in ${describeChecks(report)}`,
    ...(rows.length > 0 ? ['', [...formatMarkdown({ columns, rows })].join('').trimEnd()] : []),
  ].join('\n')
}
