import type { MapReport, Noted } from '../../transform/map/map-report.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { asCode } from './describe-redaction.ts'

/** The report of a map, for people. */
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
          '## People who became one',
          '',
          '| now | before |',
          '| --- | --- |',
          ...report.merged.map((each) => `| ${each.new} | ${each.old.join(', ')} |`),
          '',
        ]),
    ...Object.entries(report.places).flatMap(([what, places]) => {
      if (places.length === 0) return []
      const shown = places.map(
        ({ kind, url, member }) => `- ${asCode(url ?? kind)}, ${asCode(member)}`,
      )
      return [`## ${LISTED[what as Noted]}`, '', ...shown, '']
    }),
    '## The reverse map',
    '',
    '```csv',
    'old,new',
    ...report.inverse.logins.map((each) => `${each.old},${each.new}`),
    '```',
    '',
    ...report.inverse.hosts.map((each) => `--url ${each.old}=${each.new}`),
    ...report.inverse.repositories.map((each) => `--rename ${each.old}=${each.new}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const LISTED: Readonly<Record<Noted, string>> = {
  respelt: 'Names that were written in another case: the reverse map writes them as in the records',
  taken: 'New names that were there before: the reverse map changes them as well',
  leftAlone: 'URLs in texts of unknown members, which were left alone',
}

/** Facts that the counts do not show. */
const sentencesOf = ({
  merged,
  ghosts,
  unknown,
  ownersMissing,
  inverse,
  commits,
  usualHeaders,
}: MapReport): string[] => [
  ...(Object.values(inverse).every((names) => names.length === 0) && merged.length === 0
    ? ['No new name was given: name people with --users or --rename, hosts with --url.']
    : []),
  ...(unknown.length > 0 ? [`No record has these names: ${shownNames(unknown)}.`] : []),
  ...(ownersMissing.length > 0
    ? [`No user or organization has the login of a new owner: ${shownNames(ownersMissing)}.`]
    : []),
  'Git objects and the contents of files were left as they are.',
  ...(usualHeaders > 0
    ? [
        `Tar headers of ${usualHeaders} entries have no room for the new path, and became usual ones: the reverse map does not restore them.`,
      ]
    : []),
  ...(commits
    ? [`Of ${commits.count} commits, ${commits.withOldNames} have an old name in them.`]
    : []),
  ...(Object.keys(ghosts).length > 0
    ? ['Texts still mention people without a new name. They cannot be put back.']
    : []),
  ...(merged.length > 0 ? ['People who became one cannot be told apart again.'] : []),
]

const MOST_NAMES = 10

const shownNames = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

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
  ['names written in another case', report.respelt],
  ['new names that were there', report.taken],
  ['URLs in unknown members, left', report.leftAlone],
]

/** Counts that most maps do not have. */
const facts = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts).filter(([, count]) => count > 0)
