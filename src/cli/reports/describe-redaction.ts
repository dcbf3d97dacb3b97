import { VERSION } from '../../base/version.ts'
import { WHAT, type What } from '../../transform/redact/detect.ts'
import { GIT_PARTS, type GitPart } from '../../transform/redact/git-parts.ts'
import type {
  GitPartReport,
  RedactedPlace,
  RedactReport,
} from '../../transform/redact/redact-options.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { WIDTH, wrap } from '../output/format-columns.ts'
import { formatCount, formatCounted } from '../output/quantities.ts'

/** Formats the findings of a redaction for people. */
export function describeRedaction(report: RedactReport, output: string | undefined): SafeText {
  const lines = factsOf(report).map(
    ([what, count]) => safe`  ${ownText(what.padEnd(28))} ${formatCount(count).padStart(9)}`,
  )
  const title = output === undefined ? safe`Would be removed` : escapeControls(output)
  const notes = notesOf(report).flatMap((note) => wrap(ownText(note), WIDTH))
  return [title, ...lines, ...notes].join('\n')
}

/** The same as a Markdown document, with the members that changed, and what has to be reviewed by hand. */
export function redactionMarkdown(report: RedactReport): string {
  const rows = (facts: readonly (readonly [string, number])[]) =>
    facts.map(([what, count]) => `| ${asCode(what)} | ${count} |`)
  const { unread } = report.files
  const { git } = report
  return [
    report.proved ? '# Redacted' : '# Would be redacted',
    '',
    '| what | count |',
    '| --- | --: |',
    ...rows(factsOf(report)),
    '',
    ...notesOf(report)
      .concat(warningOf(report) ?? [])
      .map((note) => `- ${note}`),
    '',
    '## Members',
    '',
    '| member | values |',
    '| --- | --: |',
    ...rows(Object.entries(report.members)),
    ...section(
      'Doubtful values, left as they are',
      report.doubtful.count,
      report.doubtful.places,
      placeOf,
    ),
    ...section('Files not read', unread.count, unread.paths, asCode),
    ...section('Files in the history of Git not read', git.unread.count, git.unread.paths, asCode),
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
  const warning = warningOf(report)
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'migration-archive', version: VERSION, rules } },
        ...(warning === undefined ? {} : { invocations: [invocation(warning)] }),
        results,
      },
    ],
  }
}

const invocation = (text: string) => ({
  executionSuccessful: true,
  toolExecutionNotifications: [{ level: 'warning', message: { text } }],
})

const NAMES = {
  email: 'addresses',
  name: 'names',
  login: 'logins',
  ip: 'IP addresses',
  secret: 'secrets',
  own: 'other members and patterns',
} as const

const NAMES_OF_WHAT: Readonly<Record<What, string>> = {
  emails: NAMES.email,
  names: NAMES.name,
  logins: NAMES.login,
  ips: NAMES.ip,
  secrets: NAMES.secret,
}

const factsOf = (report: RedactReport): [string, number][] => [
  ...Object.entries(NAMES)
    .filter(([type]) => type === 'own' || report.what.some((what) => what === `${type}s`))
    .map(([type, name]): [string, number] => [
      name,
      report.counts[type as keyof typeof NAMES] ?? 0,
    ]),
  [report.proved ? 'doubtful, left' : 'doubtful, to be left', report.doubtful.count],
  [
    report.proved ? 'files changed' : 'files to be changed',
    report.files.changed + report.files.dropped,
  ],
  ['files not read', report.files.unread.count],
]

/** The verb of what was done; without a proof nothing was written, so it only would be. */
const wasDone = ({ proved }: Pick<RedactReport, 'proved'>, was: 'was' | 'were' = 'was'): string =>
  proved ? was : 'would be'

/** The warning about Git data that was kept: anybody can read it in a clone of the copy. */
export function warningOf(report: RedactReport): string | undefined {
  const { git } = report
  if (git.state !== 'kept') return undefined
  const found = Object.entries(NAMES).flatMap(([type, name]) => {
    const count = git.counts[type as keyof typeof NAMES] ?? 0
    return count > 0 ? [`${name} (${formatCount(count)})`] : []
  })
  const isWhole =
    git.unreadable === 0 && Object.values(git.parts).every(({ notSearched }) => notSearched === 0)
  const rest = isWhole ? '' : ' Some of it could not be searched.'
  const has = found.length > 0 ? `Found in it: ${found.join(', ')}` : 'Nothing was found in it'
  return `Warning: Git data ${wasDone(report)} left as it is. ${has}.${rest}`
}

/** Facts that people must know before they hand out the copy. */
function notesOf(report: RedactReport): string[] {
  const { what, counts, doubtful, files, git, notUndone, collisions, proved } = report
  const aside = [
    ...WHAT.filter((each) => !what.includes(each)).map((each) => NAMES_OF_WHAT[each]),
    ...(git.state === 'kept' ? ['Git data'] : []),
    ...(git.state === 'rewritten' && git.parts.files?.state === 'not searched'
      ? ['names and contents of files in the history of Git']
      : []),
    ...(git.state === 'rewritten' && git.unread.count > 0 && git.unread.kept
      ? ['files in the history of Git that cannot be read']
      : []),
    ...(files.state === 'keep' ? ['contents of files'] : []),
    ...(files.unread.kept && files.unread.count > 0 ? ['files that were not read'] : []),
  ]
  const notSearched = aside.length > 0 ? [`Not searched: ${aside.join(', ')}.`] : []
  const searched = [
    doubtful.count === 0
      ? 'Searched again for everything that was removed: nothing is left.'
      : `Searched again for everything that was removed: nothing is left, but for ${formatCounted(doubtful.count, 'doubtful value')}.`,
    ...(doubtful.alsoRemoved === 0
      ? []
      : [
          `Not searched again: ${formatCounted(doubtful.alsoRemoved, 'value')} removed in one place and doubtful in another.`,
        ]),
    ...notSearched,
  ]
  return [
    ...(proved ? searched : notSearched),
    ...(git.state === 'dropped' ? [`Git data ${wasDone(report)} left out.`] : []),
    ...(git.state === 'rewritten' ? [rewrittenIn(report)] : []),
    ...gitIn(report),
    ...(files.auditLog ? [`The audit log (audit_log.csv) ${wasDone(report)} left out.`] : []),
    ...(files.state === 'keep'
      ? [`The contents of files ${wasDone(report, 'were')} left as they are.`]
      : []),
    ...(files.unread.count > 0 ? [unreadIn(files.unread)] : []),
    ...(files.missing > 0
      ? [
          `${proved ? 'Left out' : 'To be left out'}, as their contents were not there: ${formatCounted(files.missing, 'file')}.`,
        ]
      : []),
    ...(collisions > 0 ? [`${collisions} IPv4 addresses share a pseudonym with another.`] : []),
    ...(counts.login === undefined
      ? []
      : [
          'Logins are found in URLs and behind an @, not as plain words.',
          'Organizations and bots keep their logins.',
        ]),
    'Names of people without a record or commit are not found in texts.',
    `Not found in any text: values in ${notUndone.join('; ')}.`,
  ]
}

function unreadIn({ types, kept }: RedactReport['files']['unread']): string {
  const fate = kept ? 'left as they are' : 'their contents replaced: --keep-unread keeps them'
  return `Files not read, ${fate}. ${typesOf(types)}.`
}

const typesOf = (types: Readonly<Record<string, number>>): string =>
  Object.entries(types)
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .map(([type, count]) => `${formatCount(count)} ${type}`)
    .join(', ')

/** One line for each part of Git data: its state, and the number of values. */
const gitIn = ({ git: { parts, unread, unreadable }, proved }: RedactReport): string[] => [
  ...Object.entries(GIT_PARTS).flatMap(([part, name]) => {
    const found = parts[part as GitPart]
    if (!found) return []
    const rest = found.notSearched > 0 ? unsearchedIn(part as GitPart, found, unread) : ''
    const { leftOut = 0 } = found
    const toBe = proved ? '' : 'to be '
    const out = leftOut > 0 ? `; ${formatCounted(leftOut, 'file')} ${toBe}left out` : ''
    return [`Git, ${name}: ${stateOf(found, toBe)}${rest}${out}.`]
  }),
  ...(unreadable === 1 ? ['Git, one repository: not searched, since it cannot be read.'] : []),
  ...(unreadable > 1
    ? [`Git, ${formatCount(unreadable)} repositories: not searched, since they cannot be read.`]
    : []),
]

function stateOf({ state, values }: GitPartReport, toBe: string): string {
  const found = formatCounted(values, 'value')
  if (state === 'cleaned') return `searched${toBe === '' ? ' and' : ','} ${toBe}cleaned, ${found}`
  if (state === 'clean') return 'searched, clean'
  if (state === 'left out') return `${toBe}left out, ${formatCount(values)}`
  if (state === 'not searched') return 'not searched'
  return `searched, left as it is with ${found}`
}

function unsearchedIn(
  part: GitPart,
  { state, notSearched }: GitPartReport,
  { types, kept }: RedactReport['git']['unread'],
): string {
  const count = formatCount(notSearched)
  if (state === 'not searched' && part === 'names')
    return ` (${formatCounted(notSearched, 'folder')})`
  if (state === 'not searched' && part === 'signatures') return ` (${count})`
  if (state === 'not searched')
    return part === 'files' ? ` (${formatCounted(notSearched, 'file')})` : ''
  if (part !== 'files') return `; ${count} not searched`
  const fate = kept ? 'left as they are' : 'their contents replaced'
  return `; ${count} not read, ${fate}: ${typesOf(types)}`
}

function rewrittenIn(report: RedactReport): string {
  const was = wasDone(report)
  const { rewritten } = report.git
  if (rewritten === 0) return `Git history names nobody, and ${was} left as it is.`
  const ids = `${formatCount(rewritten)} commits and tags ${report.proved ? 'have' : 'would have'} new ids`
  return `Git history ${was} rewritten: ${ids}.`
}
