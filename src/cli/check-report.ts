import { type Fault, PROFILES, type Severity } from '../check/check.ts'
import type { CheckResult } from '../check/check-database.ts'
import { describePlace } from '../errors.ts'
import type { Io } from './io.ts'
import { formatCount } from './output/quantities.ts'

/** What a report of a check is about. */
export interface CheckReport extends CheckResult {
  /** The archive or database, as it was named. */
  archive: string
  /** What is said of it if all is well, and if not; whether it is ready for the profile unless told otherwise. */
  verdicts?: readonly [well: string, not: string]
}

/** What is said of an archive in the end. */
export const verdictOf = ({ ok, profile, verdicts }: CheckReport): string => {
  const whom = PROFILES[profile]
  const [well, not] = verdicts ?? [`is ready for ${whom}`, `is not ready for ${whom}`]
  return ok ? well : not
}

/** A way to write such a report. */
export type ReportFormat = (report: CheckReport, io: Io) => string

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

/** How many checks there were: what was left out cannot be vouched for. */
export const describeChecks = ({ checks }: CheckResult): string =>
  `${checks} ${checks === 1 ? 'check' : 'checks'}`

/** Where a fault is, in one line: url, entry, record. */
export function placeOf({ url, entry, record }: Fault): string {
  const place = describePlace({ entry: entry ?? undefined, record: record ?? undefined })
  return [url, place].filter(Boolean).join(' in ')
}
