import type { RedactedPlace, RedactReport } from '../../transform/redact/redact-options.ts'
import { VERSION } from '../../version.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'

/** Formats the findings of a redaction for people. */
export function describeRedaction(report: RedactReport, output: string | undefined): SafeText {
  const lines = factsOf(report).map(
    ([what, count]) => safe`  ${ownText(what.padEnd(28))} ${formatCount(count).padStart(9)}`,
  )
  const title = output === undefined ? safe`Found` : escapeControls(output)
  const notes = notesOf(report).map(ownText)
  return [title, ...lines, ...notes].join('\n')
}

/** The same as a Markdown document, with the members that changed, and what has to be reviewed by hand. */
export function redactionMarkdown(report: RedactReport): string {
  const rows = (facts: readonly (readonly [string, number])[]) =>
    facts.map(([what, count]) => `| ${asCode(what)} | ${count} |`)
  const { unread } = report.files
  return [
    ...['# Redacted', '', '| what | count |', '| --- | --: |', ...rows(factsOf(report)), ''],
    ...notesOf(report).map((note) => `- ${note}`),
    ...['', '## Members', '', '| member | values |', '| --- | --: |'],
    ...rows(Object.entries(report.members)),
    ...section(
      'Doubtful values, left as they are',
      report.doubtful.count,
      report.doubtful.places,
      placeOf,
    ),
    ...section('Files not looked into', unread.count, unread.paths, asCode),
    '',
  ].join('\n')
}

const placeOf = ({ entry, record, kind, member, offset }: RedactedPlace): string =>
  `${asCode(entry ?? kind)}, record ${record ?? '-'}, ${asCode(member)}, offset ${offset}`

/** A list with a heading; it says how many more there are. */
function section<T>(
  title: string,
  count: number,
  shown: readonly T[],
  format: (each: T) => string,
) {
  if (count === 0) return []
  const more = count > shown.length ? [`- and ${count - shown.length} more`] : []
  return ['', `## ${title}`, '', ...shown.map((each) => `- ${format(each)}`), ...more]
}

/** Names of members and files are those of the archive, which may have anything in them. */
export const asCode = (text: string): string =>
  `\`${JSON.stringify(text).slice(1, -1).replace(/[`|]/g, '?')}\``

/** The places as SARIF, for code scanning. */
export function redactionSarif(report: RedactReport): object {
  const result = (place: RedactedPlace, level: 'error' | 'note') => ({
    ruleId: place.name ?? place.type,
    level: place.type === 'secret' ? 'error' : level === 'note' ? 'note' : 'warning',
    message: {
      text: `${place.name ?? place.type} in ${place.kind}.${place.member}, record ${place.record ?? '-'}`,
    },
    locations: [
      { physicalLocation: { artifactLocation: { uri: encodeURI(place.entry ?? place.kind) } } },
    ],
  })
  const results = [
    ...report.places.map((place) => result(place, 'error')),
    ...report.doubtful.places.map((place) => result(place, 'note')),
  ]
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'migration-archive', version: VERSION, rules } }, results }],
  }
}

const NAMES = {
  ...{ email: 'addresses', name: 'names', login: 'logins', ip: 'IP addresses' },
  ...{ secret: 'secrets', own: 'other members and patterns' },
} as const

const factsOf = (report: RedactReport): [string, number][] => [
  ...Object.entries(NAMES).map(([type, name]): [string, number] => [
    name,
    report.counts[type as keyof typeof NAMES] ?? 0,
  ]),
  ['doubtful, left', report.doubtful.count],
  ['files changed', report.files.changed + report.files.dropped],
  ['files not looked into', report.files.unread.count],
]

/** Facts that people must know before they hand out the copy. */
function notesOf({ counts, files, git, collisions, proved }: RedactReport): string[] {
  const { authors, inRecords, rewritten } = git
  const history =
    authors === null
      ? 'Git history, with the addresses of its authors, was left as it is.'
      : `Git history has ${authors} author addresses, ${inRecords} of them in people's records, and was left as it is.`
  const aside = [
    ...(git.state === 'kept' ? ['Git objects'] : []),
    ...(git.state === 'rewritten' ? ['messages and files in Git'] : []),
    ...(files.state === 'keep' ? ['contents of files'] : []),
    ...(files.unread.count > 0 ? ['what is compressed in files'] : []),
  ]
  const notSearched = aside.length > 0 ? [`Not searched: ${aside.join(', ')}.`] : []
  const searched = [
    'Searched again for everything that was removed: nothing is left.',
    ...notSearched,
  ]
  return [
    ...(proved ? searched : notSearched),
    ...(git.state === 'kept' ? [history] : []),
    ...(git.state === 'dropped' ? ['Git data was left out.'] : []),
    ...(git.state === 'rewritten' ? [rewrittenIn(rewritten)] : []),
    ...(files.state === 'keep' ? ['The contents of files were left as they are.'] : []),
    ...(files.unread.count > 0
      ? [
          'Files such as zip, PDF and video were not looked into, and left as they are: ' +
            '--attachments drop replaces their contents, --report lists them.',
        ]
      : []),
    ...(files.missing > 0
      ? [`The contents of ${files.missing} files were not there, so files were left out.`]
      : []),
    ...(collisions > 0 ? [`${collisions} IPv4 addresses share a pseudonym with another.`] : []),
    ...(counts.login === undefined
      ? []
      : [
          'Logins are found in URLs and behind an @, not as plain words.',
          'Organizations and bots keep their logins.',
        ]),
    'Names of people without a record are not found in texts.',
  ]
}

const rewrittenIn = (count: number): string =>
  count === 0
    ? 'Git history names nobody, and was left as it is.'
    : `Git history was rewritten: ${formatCount(count)} commits and tags have new ids.`
