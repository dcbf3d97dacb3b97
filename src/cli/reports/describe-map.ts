import type { MapReport } from '../../transform/map/map-records.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'

/** What was renamed, as a person reads it. */
export function describeMap(report: MapReport, output: string | undefined): SafeText {
  const lines = factsOf(report).map(
    ([what, count]) => safe`  ${ownText(what).padEnd(28)} ${formatCount(count).padStart(9)}`,
  )
  const title = output === undefined ? safe`Renamed` : escapeControls(output)
  const git = safe`Git objects and the contents of files were left as they are.`
  return [title, ...lines, git].join('\n')
}

/** The same as a Markdown document, with what leads back. */
export function mapMarkdown(report: MapReport): string {
  const lines = [
    '# Renamed',
    '',
    '| what | count |',
    '| --- | --: |',
    ...factsOf(report).map(([what, count]) => `| ${what} | ${count} |`),
    '',
    'Git objects and the contents of files were left as they are.',
    '',
    '## The way back',
    '',
    '```csv',
    'old,new',
    ...report.inverse.logins.map((each) => `${each.old},${each.new}`),
    '```',
    '',
    ...[...report.inverse.hosts.map((each) => `--url ${each.old}=${each.new}`)],
    ...report.inverse.repositories.map((each) => `--rename ${each.old}=${each.new}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const factsOf = (report: MapReport): [string, number][] => [
  ...Object.entries(report.records),
  ['files', report.files],
  ['people without a new name', report.unmapped.length],
  ['names in another case', report.respelt],
  ['new names that were there', report.taken],
  ['URLs in other texts, left', report.leftAlone],
]
