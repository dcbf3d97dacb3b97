import { describePlace } from '../../../base/errors.ts'
import type { CheckResult, Finding } from '../../../conformance/checks/check-database.ts'
import { type Fault, PROFILES, type Severity } from '../../../rules/rule.ts'
import type { Io } from '../../command/io.ts'
import type { SafeText } from '../../command/safe-text.ts'
import { formatBytes, formatCount } from '../../output/quantities.ts'

/** The content of a report. */
export interface CheckReport extends CheckResult {
  /** Names of the archives, or of the database. */
  archives: readonly string[]
  /** Places to list per finding. Default: depends on the format. */
  most?: number | undefined
  /** List places of notes too. Most archives have many, so the text format omits them by default. */
  withNotes?: boolean
  /** The verdicts for success and failure. Default: whether the archive is ready for the profile. */
  verdicts?: readonly [well: string, not: string]
}

/** The verdict at the end of a report. */
export const verdictOf = (report: CheckReport): string => {
  const { archives, ok, profile, git, skipped, verdicts } = report
  const whom = PROFILES[profile]
  const is = archives.length === 1 ? 'is' : 'are'
  const unknown = [
    ...(git.unverified === null ? [] : ['Git data, which was not verified']),
    ...(skipped === 0
      ? []
      : [
          `what ${countOfChecks(skipped)} would find that ${skipped === 1 ? 'was' : 'were'} skipped`,
        ]),
  ]
  const [well, not] = verdicts ?? [
    `${is} ready for ${whom}${unknown.length === 0 ? '' : `, except ${unknown.join(', and ')}`}`,
    `${is} not ready for ${whom}`,
  ]
  return ok ? well : not
}

/** Formats a report, in pieces that are made while earlier ones are written. */
export type ReportFormat = (report: CheckReport, io: Io) => Iterable<SafeText>

/** `2 errors, no warnings, 1 note`; notes only if any are shown. */
export function tallyOf({ findings }: CheckResult): string {
  const count = (wanted: Severity) => {
    const faults = findings.filter(({ severity }) => severity === wanted)
    const number = faults.reduce((sum, { count }) => sum + count, 0)
    return `${number === 0 ? 'no' : formatCount(number)} ${wanted}${number === 1 ? '' : 's'}`
  }
  const notes = findings.some(({ severity }) => severity === 'note') ? [count('note')] : []
  return [count('error'), count('warning'), ...notes].join(', ')
}

/** The number of complete and incomplete checks. */
export function describeChecks({ checks, incomplete }: CheckResult): string {
  const text = countOfChecks(checks)
  const { length } = incomplete
  return length === 0 ? text : `${text}; ${length} more ${length === 1 ? 'was' : 'were'} incomplete`
}

const countOfChecks = (count: number) => `${count} ${count === 1 ? 'check' : 'checks'}`

/** Which Git data was verified, and the incomplete checks by reason: `the contents of uploads were not loaded: file-type`. */
export const describeLimits = ({ incomplete, git, verdicts }: CheckReport): string[] => [
  ...(verdicts ? [] : describeGit(git)),
  ...[...Map.groupBy(incomplete, ({ why }) => why)].map(
    ([why, checks]) => `${why}: ${checks.map(({ code }) => code).join(', ')}`,
  ),
]

function describeGit({ repositories, objects, bytes, unverified }: CheckResult['git']): string[] {
  const count = `${formatCount(repositories)} ${repositories === 1 ? 'repository' : 'repositories'}`
  const verified = `Git data of ${count} verified: ${formatCount(objects)} objects, ${formatBytes(bytes)} of packs`
  return [
    ...(repositories > 0 ? [verified] : []),
    ...(unverified === null ? [] : [`Git data not verified: ${unverified}`]),
  ]
}

/** The places to list. */
export function* takePlaces(finding: Finding, limit: number): Generator<Fault> {
  if (limit <= finding.places.length || finding.places.length === finding.count) {
    yield* finding.places.slice(0, limit)
    return
  }
  let left = limit
  for (const place of finding.allPlaces()) {
    if (left-- <= 0) return
    yield place
  }
}

/** The names of what was checked: `git.tar.gz and metadata.tar.gz`. */
export const namesOf = ({ archives }: Pick<CheckReport, 'archives'>): string =>
  [archives.slice(0, -1).join(', '), ...archives.slice(-1)].filter(Boolean).join(' and ')

/** The place of a fault in one line: URL, archive, entry, record. The message of a fault of a whole archive names it. */
export function placeOf({ archive, url, entry, record }: Fault): string {
  const place = describePlace({
    archive: (url ?? entry) === null ? undefined : (archive ?? undefined),
    entry: entry ?? undefined,
    record: record ?? undefined,
  })
  return [url, place].filter(Boolean).join(' in ')
}
