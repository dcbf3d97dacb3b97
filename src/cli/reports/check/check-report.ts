import type { CheckResult, Finding } from '../../../check/check-database.ts'
import { describePlace } from '../../../errors.ts'
import { type Fault, PROFILES, type Severity } from '../../../rules/rule.ts'
import type { Io } from '../../command/io.ts'
import { formatCount } from '../../output/quantities.ts'
import type { SafeText } from '../../output/safe-text.ts'

/** What a report of a check is about. */
export interface CheckReport extends CheckResult {
  /** The archive or database, as it was named. */
  archive: string
  /** Places to list of each finding; as many as the format lists by default without it. */
  most?: number | undefined
  /** List places of notes as those of errors. Most archives have many of the same, so text leaves them out by default. */
  withNotes?: boolean
  /** What is said of it if all is well, and if not; whether it is ready for the profile unless told otherwise. */
  verdicts?: readonly [well: string, not: string]
}

/** What is said of an archive in the end. */
export const verdictOf = ({ ok, profile, verdicts }: CheckReport): string => {
  const whom = PROFILES[profile]
  const [well, not] = verdicts ?? [`is ready for ${whom}`, `is not ready for ${whom}`]
  return ok ? well : not
}

/** A way to write such a report: its text in pieces, each made when the one before it is written. */
export type ReportFormat = (report: CheckReport, io: Io) => Iterable<SafeText>

/** `2 errors, no warnings, 1 note`; nothing of notes where none are shown. */
export function tallyOf({ findings }: CheckResult): string {
  const count = (wanted: Severity) => {
    const faults = findings.filter(({ severity }) => severity === wanted)
    const number = faults.reduce((sum, { count }) => sum + count, 0)
    return `${number === 0 ? 'no' : formatCount(number)} ${wanted}${number === 1 ? '' : 's'}`
  }
  const notes = findings.some(({ severity }) => severity === 'note') ? [count('note')] : []
  return [count('error'), count('warning'), ...notes].join(', ')
}

/** How many checks looked at everything, and how many could not. */
export function describeChecks({ checks, incomplete }: CheckResult): string {
  const text = `${checks} ${checks === 1 ? 'check' : 'checks'}`
  const { length } = incomplete
  return length === 0 ? text : `${text}; ${length} more ${length === 1 ? 'was' : 'were'} incomplete`
}

/** The incomplete checks by what they lacked: `the contents of uploads were not loaded: file-type`. */
export const describeIncomplete = ({ incomplete }: CheckResult): string[] =>
  [...Map.groupBy(incomplete, ({ why }) => why)].map(
    ([why, checks]) => `${why}: ${checks.map(({ code }) => code).join(', ')}`,
  )

/** Takes as many places as are to be listed. */
export function* takePlaces(finding: Finding, most: number): Generator<Fault> {
  if (most <= finding.places.length || finding.places.length === finding.count) {
    yield* finding.places.slice(0, most)
    return
  }
  let left = most
  for (const place of finding.allPlaces()) {
    if (left-- <= 0) return
    yield place
  }
}

/** Where a fault is, in one line: url, entry, record. */
export function placeOf({ url, entry, record }: Fault): string {
  const place = describePlace({ entry: entry ?? undefined, record: record ?? undefined })
  return [url, place].filter(Boolean).join(' in ')
}
