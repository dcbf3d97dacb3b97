import { type CheckResult, checkDatabase, RANK } from '../../conformance/checks/check-database.ts'
import { CHECK_NAMES, CHECKS } from '../../conformance/checks/checks.ts'
import type { SqlValue } from '../../query/run-query.ts'
import {
  describeEvidence,
  PROFILES,
  type Profile,
  type Severity,
  severityOf,
} from '../../rules/rule.ts'
import { defineCommand } from '../command/command.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { ownFormatOf, writeRows } from '../options/format-options.ts'
import { limitOf, reportedName } from '../options/reading-options.ts'
import { PLACES_OPTION, progressMode, SOURCE_OPTION } from '../options/shared-options.ts'
import { showProgress } from '../output/progress.ts'
import { formatCount } from '../output/quantities.ts'
import { writeAll } from '../output/write-all.ts'
import {
  REPORT_FORMAT_OPTIONS,
  REPORT_FORMATS,
  type ReportFormatName,
} from '../reports/check/report-formats.ts'
import { openMerged } from '../sources/open-merged.ts'
import { openReadable } from '../sources/open-readable.ts'

export const check = defineCommand({
  usage: '<source> [more..]',
  options: {
    source: SOURCE_OPTION,
    more: {
      type: 'string',
      array: true,
      describe: 'More archives of the same migration, such as the other half of a pair',
    },
    profile: {
      choices: Object.keys(PROFILES) as Profile[],
      default: 'gei',
      value: '<profile>',
      describe: 'Which importer to check for',
    },
    ...REPORT_FORMAT_OPTIONS,
    only: {
      type: 'string',
      value: '<codes>',
      describe: 'Run only these checks, separated by commas [all]',
    },
    skip: {
      type: 'string',
      value: '<codes>',
      describe:
        'Skip these checks, separated by commas; git-contents is all that read Git objects [none]',
    },
    places: PLACES_OPTION,
    'exit-on': {
      choices: ['note', 'warning', 'error'],
      value: '<severity>',
      describe: 'Exit with 1 at this severity or a worse one [error; warning if strict]',
    },
    list: { type: 'boolean', alone: true, describe: 'List the checks and their sources' },
    quiet: { type: 'boolean', alias: 'q', describe: 'Show no progress, no notes and no table' },
  },
  exits: [1],
  examples: [
    ['marc check samples/hello.tar.gz', 'a report; exit code 1 if there are errors'],
    ['marc check samples/hello.tar.gz --profile strict --format sarif', 'for CI'],
    ['marc check --list', 'all checks and their sources'],
  ],
  async run({ source: named, more = [], profile, only, skip, places, list, quiet, ...typed }, io) {
    const format = ownFormatOf(typed) ?? 'text'
    io.keepYoungSpace?.()
    const most = limitOf('places', places)
    const chosen = { profile: profile as Profile, only: codesOf(only), skip: codesOf(skip) }
    if (chosen.only?.every((code) => chosen.skip?.includes(code))) {
      throw new UsageError('no check is left: --skip leaves out all that --only names')
    }
    if (list) {
      await writeList(chosen.profile, format, io)
      return 0
    }
    const names = [named, ...more]
    const database = await (more.length > 0
      ? openMerged(names, true, io, { quiet })
      : openReadable(named, io, { quiet, contents: 'all' }))
    try {
      const shown = showProgress(io.stderr, {
        label: 'verifying Git data',
        mode: progressMode({ quiet }),
      })
      const result = await checkDatabase(database, {
        ...chosen,
        progress: ({ bytes, objects }) =>
          shown.update(bytes, () => `${formatCount(objects)} objects`),
      }).finally(shown.finish)
      // A note that decides over the exit code is no detail.
      const showsNotes = !quiet || typed['exit-on'] === 'note'
      const findings = result.findings.filter(({ severity }) => showsNotes || severity !== 'note')
      const archives = names.map(reportedName)
      const importer = quiet ? [] : result.importer
      const report = { archives, ...result, findings, importer, most }
      await writeAll(io.stdout, REPORT_FORMATS[format](report, io))
      return isFailure(result, typed['exit-on']) ? 1 : 0
    } finally {
      database.close()
    }
  },
})

/** Whether there is a finding of this severity or a worse one. Without one the profile decides. */
function isFailure({ ok, findings }: CheckResult, least: Severity | undefined): boolean {
  return least === undefined ? !ok : findings.some(({ severity }) => RANK[severity] <= RANK[least])
}

async function writeList(profile: Profile, format: ReportFormatName, io: Io): Promise<void> {
  if (format === 'sarif') throw new UsageError('a list of checks cannot be SARIF')
  await writeRows(listChecks(profile), { format: format === 'text' ? 'table' : format }, io)
}

function codesOf(text: string | undefined): string[] | undefined {
  const codes = text?.split(',').map((code) => code.trim())
  const unknown = codes?.find((code) => !CHECK_NAMES.includes(code))
  if (unknown === undefined) return codes
  const hint = didYouMean(unknown, CHECK_NAMES) ?? 'List them with: marc check --list'
  throw new UsageError(`there is no check ${JSON.stringify(unknown)}`, hint)
}

/** The checks with the severities of a profile, as rows. */
function listChecks(profile: Profile): { columns: string[]; rows: SqlValue[][] } {
  return {
    columns: ['code', 'severity', 'summary', 'evidence', 'source'],
    rows: CHECKS.map((check) => [
      check.code,
      severityOf(check, profile),
      check.summary,
      describeEvidence(check.evidence),
      check.source,
    ]),
  }
}
