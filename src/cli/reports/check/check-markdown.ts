import { escapeControls } from '../../output/escape-controls.ts'
import { formatMarkdown } from '../../output/format-markdown.ts'
import { ownText, safe } from '../../output/safe-text.ts'
import {
  describeChecks,
  describeIncomplete,
  placeOf,
  type ReportFormat,
  tallyOf,
  verdictOf,
} from './check-report.ts'

/** A report for a comment beside a build. */
export const checkAsMarkdown: ReportFormat = function* (report) {
  const { archive, findings } = report
  const name = escapeControls(archive.replace(/[\\`*_[\]<|]/g, '\\$&'))
  const rows = findings.map(({ severity, code, count, summary, places: [first] }) => [
    ...[severity, code, count, summary],
    ...[first?.message ?? '', first ? placeOf(first) : ''],
  ])
  const columns = ['severity', 'code', 'count', 'why it matters', 'first', 'place']
  const verdict = ownText(`${verdictOf(report)}**: ${tallyOf(report)} in ${describeChecks(report)}`)
  yield safe`**${name} ${verdict}\n`
  for (const line of describeIncomplete(report)) yield safe`\n${ownText(line)}\n`
  if (rows.length > 0) yield safe`\n${[...formatMarkdown({ columns, rows })].join('').trimEnd()}\n`
}
