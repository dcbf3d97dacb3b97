import type { CheckResult, Finding } from '../../../check/check-database.ts'
import { describePlace } from '../../../errors.ts'
import { type Fault, PROFILES, type Severity } from '../../../rules/rule.ts'
import type { Io } from '../../command/io.ts'
import { formatCount } from '../../output/quantities.ts'
import type { SafeText } from '../../output/safe-text.ts'

/** The content of a report. */
export interface CheckReport extends CheckResult {
  /** Name of the archive or database. */
  archive: string
  /** Places to list per finding. Default: depends on the format. */
  most?: number | undefined
  /** List places of notes too. Most archives have many, so the text format omits them by default. */
  withNotes?: boolean
  /** The verdicts for success and failure. Default: whether the archive is ready for the profile. */
  verdicts?: readonly [well: string, not: string]
}

/** The verdict at the end of a report. */
export const verdictOf = ({ ok, profile, verdicts }: CheckReport): string => {
  const whom = PROFILES[profile]
  const [well, not] = verdicts ?? [`is ready for ${whom}`, `is not ready for ${whom}`]
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
  const text = `${checks} ${checks === 1 ? 'check' : 'checks'}`
  const { length } = incomplete
  return length === 0 ? text : `${text}; ${length} more ${length === 1 ? 'was' : 'were'} incomplete`
}

/** The incomplete checks by reason: `the contents of uploads were not loaded: file-type`. */
export const describeIncomplete = ({ incomplete }: CheckResult): string[] =>
  [...Map.groupBy(incomplete, ({ why }) => why)].map(
    ([why, checks]) => `${why}: ${checks.map(({ code }) => code).join(', ')}`,
  )

/** The places to list. */
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

/** The place of a fault in one line: URL, entry, record. */
export function placeOf({ url, entry, record }: Fault): string {
  const place = describePlace({ entry: entry ?? undefined, record: record ?? undefined })
  return [url, place].filter(Boolean).join(' in ')
}
