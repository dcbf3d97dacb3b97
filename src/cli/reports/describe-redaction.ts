import type { RedactedPlace, RedactReport } from '../../transform/redact/redact-options.ts'
import { VERSION } from '../../version.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'

/** Formats the findings of a redaction for people. */
export function describeRedaction(
  report: RedactReport,
  { output, attachments }: { output: string | undefined; attachments: string },
): SafeText {
  const lines = factsOf(report).map(
    ([what, count]) => safe`  ${ownText(what.padEnd(28))} ${formatCount(count).padStart(9)}`,
  )
  const title = output === undefined ? safe`Found` : escapeControls(output)
  const notes = notesOf(report, attachments).map(ownText)
  return [title, ...lines, ...notes].join('\n')
}

/** The same as a Markdown document, with the members that changed. */
export function redactionMarkdown(report: RedactReport): string {
  const rows = (facts: readonly (readonly [string, number])[]) =>
    facts.map(([what, count]) => `| \`${what}\` | ${count} |`)
  return [
    ...['# Redacted', '', '| what | count |', '| --- | --: |', ...rows(factsOf(report)), ''],
    ...notesOf(report, ''),
    ...['', '## Members', '', '| member | values |', '| --- | --: |'],
    ...rows(Object.entries(report.members)),
    '',
  ].join('\n')
}

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

function notesOf({ files, git, collisions }: RedactReport, attachments: string): string[] {
  const { authors, inRecords, rewritten } = git
  const history =
    authors === null
      ? 'Git history, with the addresses of its authors, was left as it is.'
      : `Git history has ${authors} author addresses, ${inRecords} of them in people's records, and was left as it is.`
  return [
    ...(git.state === 'kept' ? [history] : []),
    ...(git.state === 'dropped' ? ['Git data was left out.'] : []),
    ...(git.state === 'rewritten' ? [rewrittenIn(rewritten)] : []),
    ...(attachments === 'keep' ? ['The contents of files were left as they are.'] : []),
    ...(files.unread.count > 0
      ? ['Some files are no texts: replace them with --attachments drop.']
      : []),
    ...(files.missing > 0
      ? [`The contents of ${files.missing} files were not there, so files were left out.`]
      : []),
    ...(collisions > 0 ? [`${collisions} IPv4 addresses share a pseudonym with another.`] : []),
    'Names of people without a record are not found in texts.',
  ]
}

const rewrittenIn = (count: number): string =>
  count === 0
    ? 'Git history names nobody, and was left as it is.'
    : `Git history was rewritten: ${formatCount(count)} commits and tags have new ids. Messages and files in it were not scanned.`
