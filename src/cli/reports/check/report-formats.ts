import { escapeControls } from '../../output/escape-controls.ts'
import { formatMarkdown } from '../../output/format-markdown.ts'
import { ownText, safe } from '../../output/safe-text.ts'
import { streamJson } from '../../output/stream-json.ts'
import {
  describeChecks,
  describeIncomplete,
  placeOf,
  type ReportFormat,
  takePlaces,
  tallyOf,
  verdictOf,
} from './check-report.ts'
import { checkAsSarif } from './check-sarif.ts'
import { checkAsText } from './check-text.ts'

/** A report as a JSON object. Lists every place by default. */
const checkAsJson: ReportFormat = function* ({ most = Number.POSITIVE_INFINITY, ...report }) {
  const { archive, profile, ok, checks, incomplete } = report
  const findings = report.findings.map(({ allPlaces, ...finding }) => ({
    ...finding,
    places: takePlaces({ ...finding, allPlaces }, most),
  }))
  yield* streamJson({ archive, profile, ok, checks, incomplete, findings })
  yield safe`\n`
}

/** A report as Markdown, for a comment on a pull request. */
const checkAsMarkdown: ReportFormat = function* (report) {
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

/** The formats of a report, by name. */
export const REPORT_FORMATS = {
  text: checkAsText,
  json: checkAsJson,
  sarif: checkAsSarif,
  markdown: checkAsMarkdown,
} as const satisfies Record<string, ReportFormat>

export type ReportFormatName = keyof typeof REPORT_FORMATS

export const REPORT_FORMAT_OPTION = {
  choices: Object.keys(REPORT_FORMATS) as ReportFormatName[],
  default: 'text',
  value: '<format>',
  describe: 'Format of the report',
} as const
