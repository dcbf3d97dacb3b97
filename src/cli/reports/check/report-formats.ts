import { importTable } from '../../../conformance/checks/importer.ts'
import { ownText, safe } from '../../command/safe-text.ts'
import { JSON_OPTION } from '../../options/format-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatMarkdown } from '../../output/format-markdown.ts'
import { streamJson } from '../../output/stream-json.ts'
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
import { checkAsSarif } from './check-sarif.ts'
import { checkAsText } from './check-text.ts'

/** A report as a JSON object. Lists every place by default. */
const checkAsJson: ReportFormat = function* ({ most = Number.POSITIVE_INFINITY, ...report }) {
  const { archives, profile, ok, checks, skipped, incomplete, git, importer } = report
  const findings = report.findings.map(({ allPlaces, ...finding }) => ({
    ...finding,
    places: takePlaces({ ...finding, allPlaces }, most),
  }))
  yield* streamJson({
    archives: [...archives],
    profile,
    ok,
    checks,
    skipped,
    incomplete,
    git: { ...git },
    findings,
    importer,
  })
  yield safe`\n`
}

/** A report as Markdown, for a comment on a pull request. */
const checkAsMarkdown: ReportFormat = function* (report) {
  const { findings } = report
  const name = escapeControls(namesOf(report).replace(/[\\`*_[\]<|]/g, '\\$&'))
  const rows = findings.map(({ severity, code, count, summary, places: [first] }) => [
    severity,
    code,
    count,
    summary,
    first?.message ?? '',
    first ? placeOf(first) : '',
  ])
  const columns = ['severity', 'code', 'count', 'why it matters', 'first', 'place']
  const verdict = ownText(`${verdictOf(report)}**: ${tallyOf(report)} in ${describeChecks(report)}`)
  yield safe`**${name} ${verdict}\n`
  for (const line of describeLimits(report)) yield safe`\n${ownText(line)}\n`
  for (const table of [{ columns, rows }, importTable(report.importer)]) {
    if (table.rows.length === 0) continue
    yield safe`\n${[...formatMarkdown(table)].join('').trimEnd()}\n`
  }
}

/** The formats of a report, by name. */
export const REPORT_FORMATS = {
  text: checkAsText,
  json: checkAsJson,
  sarif: checkAsSarif,
  markdown: checkAsMarkdown,
} as const satisfies Record<string, ReportFormat>

export type ReportFormatName = keyof typeof REPORT_FORMATS

export const REPORT_FORMAT_OPTIONS = {
  format: {
    choices: Object.keys(REPORT_FORMATS) as ReportFormatName[],
    value: '<format>',
    describe: 'Format of the report [text]',
  },
  json: JSON_OPTION,
} as const
