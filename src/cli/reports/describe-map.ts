import type { MapReport } from '../../transform/map/map-records.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'

/** What was renamed, as a person reads it. */
export function describeMap(report: MapReport, title: string): SafeText {
  const lines = factsOf(report).map(
    ([what, count]) => safe`  ${ownText(what).padEnd(30)} ${formatCount(count).padStart(7)}`,
  )
  return [escapeControls(title), ...lines, ...sentencesOf(report).map(ownText)].join('\n')
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
    ...sentencesOf(report),
    '',
    ...(report.merged.length === 0
      ? []
      : [
          ...['## People who became one', '', '| now | before |', '| --- | --- |'],
          ...report.merged.map((each) => `| ${each.new} | ${each.old.join(', ')} |`),
          '',
        ]),
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

/** Facts that the counts do not show. */
const sentencesOf = ({ merged, ghosts }: MapReport): string[] => [
  'Git objects and the contents of files were left as they are.',
  ...(Object.keys(ghosts).length > 0
    ? ['Texts still mention people without a new name. They cannot be put back.']
    : []),
  ...(merged.length > 0 ? ['People who became one cannot be told apart again.'] : []),
]

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

const factsOf = (report: MapReport): [string, number][] => [
  ...Object.entries(report.records),
  ['files', report.files],
  ['people without a new name', report.unmapped.count],
  ...facts({
    'people who became one': report.merged.reduce((sum, { old }) => sum + old.length, 0),
    'list elements that were double': total(report.doubles),
    'people and references removed': total(report.ghosts),
  }),
  ['names in another case', report.respelt],
  ['new names that were there', report.taken],
  ['URLs in other texts, left', report.leftAlone],
]

/** Counts that most maps do not have. */
const facts = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts).filter(([, count]) => count > 0)
