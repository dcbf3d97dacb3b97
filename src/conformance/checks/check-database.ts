import {
  aCount,
  aFunction,
  anOpenDatabase,
  checkArguments,
  checkOptions,
  oneOf,
  type Shapes,
  wordsOf,
} from '../../base/check-arguments.ts'
import { refuseLargeCells } from '../../database/large-cells.ts'
import type { Database } from '../../database/open-database.ts'
import { filledTables } from '../../database/rows/read-record.ts'
import type { VerifyOptions } from '../../git/verify/verify-repository.ts'
import {
  type Check,
  type Fault,
  type NeededContents,
  PROFILES,
  type Profile,
  type Severity,
  severityOf,
} from '../../rules/rule.ts'
import { fromClause, type RecordSelect } from '../../rules/sql/record-select.ts'
import { addSqlFunctions } from '../../rules/sql/sql-functions.ts'
import { CHECK_NAMES, CHECKS, codesOfChecks } from './checks.ts'
import { findArchives, gatherFaults, MOST_PLACES } from './gather-faults.ts'
import { describeImport, type ImportLine } from './importer.ts'
import { type VerifiedGit, verifyGit } from './verify-git.ts'

/** Which checks to run, and what to keep of their findings. */
export interface CheckOptions {
  /** The importer to check for. Default `gei`, the GitHub Enterprise Importer. */
  profile?: Profile | undefined
  /** Codes of the checks to run. Default: all of the profile. */
  only?: readonly string[] | undefined
  /** Codes of checks to skip. `git-contents` stands for all that read packs and loose objects, which takes longest. */
  skip?: readonly string[] | undefined
  /** Places kept per finding. Default 20; `allPlaces()` reads all of them, in bounded memory. */
  places?: number | undefined
  /** Receives each finding as it is made. */
  report?: ((finding: Finding) => void) | undefined
  /** Called with the bytes of packs and the objects that were verified so far. */
  progress?: VerifyOptions['progress'] | undefined
}

/** The result of a check that found faults. */
export interface Finding extends Pick<Check, 'code' | 'summary' | 'source'> {
  /** The severity in the profile that was checked. */
  severity: Severity
  /** Number of all faults. */
  count: number
  /** The first places. */
  places: Fault[]
  /** Every place, read from the database while it is consumed; the database must still be open. */
  allPlaces(): Iterable<Fault>
}

/** A check that could not examine everything. */
export interface IncompleteCheck {
  /** The code of the check. */
  code: string
  /** The missing contents, in words. */
  why: string
}

/** The result of `checkDatabase`. */
export interface CheckResult {
  /** The importer that the database was checked for. */
  profile: Profile
  /** No errors; in the profile `strict` no warnings either. */
  ok: boolean
  /** Number of checks that examined everything they cover. */
  checks: number
  /** Number of checks of the profile that `only` or `skip` left out, but for those of Git data: see `git`. */
  skipped: number
  /** The other checks. Their findings are in `findings` as well. */
  incomplete: IncompleteCheck[]
  /** Which Git data was verified. */
  git: VerifiedGit
  /** Errors first, then warnings, then notes. */
  findings: Finding[]
  /**
   * Counts of the records that the GitHub Enterprise Importer takes, changes and leaves out. Empty for the profile
   * `ghe-migrator`, and with `only`.
   */
  importer: ImportLine[]
}

const codes = wordsOf(() => CHECK_NAMES)

const CHECK_SHAPES: Shapes<CheckOptions> = {
  profile: oneOf(...Object.keys(PROFILES)),
  only: codes,
  skip: codes,
  places: aCount,
  report: aFunction,
  progress: aFunction,
}

const GIT = codesOfChecks(['git-contents'])

/** The worst severity first. */
export const RANK: Record<Severity, number> = { error: 0, warning: 1, note: 2 }

/**
 * Checks whether the archives in a database are complete, and whether an importer would accept them. Verifies Git data as
 * `verifyRepository` does.
 *
 * @param database an open database
 * @param options the profile, the checks to run, and how many places to keep
 * @returns `ok`, the findings, errors first, and which Git data was verified
 * @throws `option-invalid`, `database-damaged` or `database-busy`
 * @example
 * const { ok, findings } = await checkDatabase(database, { profile: 'gei' })
 * const errors = findings.filter(({ severity }) => severity === 'error')
 */
export async function checkDatabase(
  database: Database,
  options: CheckOptions = {},
): Promise<CheckResult> {
  checkArguments({ database }, { database: anOpenDatabase })
  checkOptions(options, CHECK_SHAPES)
  const { profile = 'gei', places: most = MOST_PLACES, report } = options
  refuseLargeCells(database)
  addSqlFunctions(database)
  const only = options.only && codesOfChecks(options.only)
  const skip = codesOfChecks(options.skip ?? [])
  const chosen = CHECKS.filter(({ code }) => !skip.includes(code) && (only?.includes(code) ?? true))
  const chosenCodes = chosen.map(({ code }) => code)
  const skipped = CHECKS.filter(
    (check) =>
      !chosen.includes(check) && !GIT.includes(check.code) && severityOf(check, profile) !== 'off',
  ).length
  const git = await verifyGit(database, chosenCodes, options.progress)
  const findings: Finding[] = []
  const archiveOf = findArchives(database)
  const run = chosen.flatMap((check) => {
    const severity = severityOf(check, profile)
    if (severity === 'off') return []
    const faults = gatherFaults(database, archiveOf)
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
  const incomplete = run.flatMap(({ code, needs }) => {
    const why = needs && describeMissing(database, needs)
    return why === undefined ? [] : [{ code, why }]
  })
  const importer = only || profile === 'ghe-migrator' ? [] : describeImport(database)
  const checks = run.length - incomplete.length
  return { profile, ok, checks, skipped, incomplete, git, findings, importer }
}

/** A SELECT may return 2,000 columns by default. */
const MOST_AT_ONCE = 500

/**
 * Counts the records, or elements of them, that each select finds. Counts all selects of a table in one pass: reading a
 * large table takes longer than most conditions on its rows.
 */
function countRecords(
  database: Database,
  selects: readonly RecordSelect[],
): (select: RecordSelect) => number {
  const counts = new Map<RecordSelect, number>()
  const filled = filledTables(database, [...new Set(selects.map(({ table }) => table))])
  const inFilled = selects.filter(({ table }) => filled.has(table))
  for (const select of inFilled.filter(({ apart }) => apart)) {
    const sql = `SELECT count(*) FROM (SELECT 1 ${fromClause(select)} WHERE ${select.where})`
    counts.set(select, database.prepare<[], number>(sql).pluck().get() ?? 0)
  }
  const together = inFilled.filter(({ apart }) => !apart)
  for (const [from, all] of Map.groupBy(together, fromClause)) {
    for (let at = 0; at < all.length; at += MOST_AT_ONCE) {
      const some = all.slice(at, at + MOST_AT_ONCE)
      const columns = some.map(({ where }) => `count(*) FILTER (WHERE ${where})`)
      const row = database
        .prepare<[], number[]>(`SELECT ${columns.join(', ')} ${from}`)
        .raw()
        .get()
      for (const [i, select] of some.entries()) counts.set(select, row?.[i] ?? 0)
    }
  }
  return (select) => counts.get(select) ?? 0
}

/** The files whose contents a check reads, and their name in messages. */
const NEEDED: Readonly<Record<NeededContents, readonly [condition: string, noun: string]>> = {
  objects: [
    "role = 'git' AND (path GLOB '*.git/objects/??/*' OR path GLOB '*.git/objects/pack/*')",
    'Git objects',
  ],
  'pack-indexes': [
    "role = 'git' AND path GLOB '*.git/objects/pack/*.idx'",
    'the indexes of Git packs',
  ],
  uploads: ["role IN ('attachment', 'repository-file', 'release-asset')", 'uploads'],
}

/** Says which contents a database lacks because they were left out when its archives were loaded. */
function describeMissing(database: Database, needed: NeededContents): string | undefined {
  const [condition, noun] = NEEDED[needed]
  const missing = database
    .prepare(`SELECT 1 FROM files WHERE NOT stored AND size > 0 AND ${condition} LIMIT 1`)
    .get()
  return missing === undefined ? undefined : `the contents of ${noun} were not loaded`
}
