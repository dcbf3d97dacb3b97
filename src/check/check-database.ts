import {
  aCount,
  aFunction,
  anOpenDatabase,
  checkArguments,
  checkOptions,
  oneOf,
  type Shapes,
  wordsOf,
} from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import {
  type Check,
  type Fault,
  PROFILES,
  type Profile,
  type Severity,
  severityOf,
} from '../rules/rule.ts'
import { addSqlFunctions } from '../rules/sql/sql-functions.ts'
import { CHECKS } from './checks.ts'
import { countRecords } from './count-records.ts'
import { gatherFaults, MOST_PLACES } from './gather-faults.ts'
import { describeMissing } from './missing-contents.ts'

export interface CheckOptions {
  /** For whom it is checked; the GitHub Enterprise Importer unless told otherwise. */
  profile?: Profile | undefined
  /** Codes of the checks to run; all of the profile unless told otherwise. */
  only?: readonly string[] | undefined
  /** Codes of checks to leave out. */
  skip?: readonly string[] | undefined
  /** Places kept of each finding. Default 20; `allPlaces()` reads all of them, in bounded memory. */
  places?: number | undefined
  /** Is told of each finding as it is made. */
  report?: ((finding: Finding) => void) | undefined
}

/** What one check found. */
export interface Finding extends Pick<Check, 'code' | 'summary' | 'source'> {
  severity: Severity
  /** Number of all faults. */
  count: number
  /** The first places. */
  places: Fault[]
  /** Every place, read from the database as the iteration goes on: the database must be open still. */
  allPlaces(): Iterable<Fault>
}

/** A check that could not look at everything. */
export interface IncompleteCheck {
  code: string
  /** What was missing. */
  why: string
}

export interface CheckResult {
  profile: Profile
  /** No errors; in the profile `strict` no warnings either. */
  ok: boolean
  /** Number of checks that looked at everything they are about. */
  checks: number
  /** The other ones. What they found all the same is among the findings. */
  incomplete: IncompleteCheck[]
  /** Errors first, then warnings, then notes. */
  findings: Finding[]
}

const codes = wordsOf(() => CHECKS.map(({ code }) => code))

const CHECK_SHAPES: Shapes<CheckOptions> = {
  profile: oneOf(...Object.keys(PROFILES)),
  ...{ only: codes, skip: codes, places: aCount, report: aFunction },
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, note: 2 }

/** Tells whether the archives in a database are whole, and a server would accept them. */
export function checkDatabase(database: Database, options: CheckOptions = {}): CheckResult {
  checkArguments({ database }, { database: anOpenDatabase })
  checkOptions(options, CHECK_SHAPES)
  const { profile = 'gei', only, skip = [], places: most = MOST_PLACES, report } = options
  addSqlFunctions(database)
  const chosen = CHECKS.filter(({ code }) => !skip.includes(code) && (only?.includes(code) ?? true))
  const findings: Finding[] = []
  const run = chosen.flatMap((check) => {
    const severity = severityOf(check, profile)
    if (severity === 'off') return []
    const faults = gatherFaults(database)
    check.run(database, faults)
    return [{ ...check, severity, faults }]
  })
  const selects = run.flatMap(({ faults }) => faults.selects)
  const countOf = countRecords(database, selects)
  for (const { code, severity, summary, source, faults } of run) {
    const { count, places } = faults.gather(countOf, most)
    if (count === 0) continue
    const { allPlaces } = faults
    const finding = { code, severity, summary, source, count, places, allPlaces }
    findings.push(finding)
    report?.(finding)
  }
  const fatal = profile === 'strict' ? RANK.warning : RANK.error
  const ok = findings.every(({ severity }) => RANK[severity] > fatal)
  findings.sort((a, b) => RANK[a.severity] - RANK[b.severity])
  const missing = describeMissing(database)
  const incomplete = run.flatMap(({ code, needs }) => {
    const why = needs && missing(needs)
    return why === undefined ? [] : [{ code, why }]
  })
  return { profile, ok, checks: run.length - incomplete.length, incomplete, findings }
}
