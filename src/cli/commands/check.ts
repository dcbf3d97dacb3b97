import { basename, resolve } from 'node:path'
import { checkDatabase } from '../../check/check-database.ts'
import { CHECKS, isCheckCode } from '../../check/checks.ts'
import { closestMatch } from '../../closest-match.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { describeEvidence, PROFILES, type Profile, severityOf } from '../../rules/rule.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { writeRows } from '../options/format-options.ts'
import { limitOf } from '../options/reading-options.ts'
import { PLACES_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { writeAll } from '../output/write-all.ts'
import {
  REPORT_FORMAT_OPTION,
  REPORT_FORMATS,
  type ReportFormatName,
} from '../reports/check/report-formats.ts'
import { openReadable } from '../sources/open-readable.ts'

export const check = defineCommand({
  usage: '<source>',
  summary: 'Check whether an archive is complete and a server would accept it',
  options: {
    source: SOURCE_OPTION,
    profile: {
      choices: Object.keys(PROFILES) as Profile[],
      default: 'gei',
      value: '<profile>',
      describe: 'Which importer to check for',
    },
    format: REPORT_FORMAT_OPTION,
    only: {
      type: 'string',
      value: '<codes>',
      describe: 'Run only these checks, separated by commas [all]',
    },
    skip: {
      type: 'string',
      value: '<codes>',
      describe: 'Skip these checks, separated by commas [none]',
    },
    places: PLACES_OPTION,
    list: { type: 'boolean', alone: true, describe: 'List the checks and their sources' },
    quiet: { type: 'boolean', alias: 'q', describe: 'Show no progress and no notes' },
  },
  exits: [1],
  examples: [
    ['marc check samples/hello.tar.gz', 'a report; exit code 1 if there are errors'],
    ['marc check samples/hello.tar.gz --profile strict --format sarif', 'for CI'],
    ['marc check --list', 'all checks and their sources'],
  ],
  async run({ source: named, profile, format, only, skip, places, list, quiet }, io) {
    const most = limitOf('places', places)
    const chosen = { profile: profile as Profile, only: codesOf(only), skip: codesOf(skip) }
    if (list) {
      await writeList(chosen.profile, format, io)
      return 0
    }
    const database = await openReadable(named, io, { quiet, contents: 'all' })
    try {
      const result = checkDatabase(database, chosen)
      const findings = result.findings.filter(({ severity }) => !quiet || severity !== 'note')
      const report = { archive: basename(resolve(named)), ...result, findings, most }
      await writeAll(io.stdout, REPORT_FORMATS[format](report, io))
      return result.ok ? 0 : 1
    } finally {
      database.close()
    }
  },
})

async function writeList(profile: Profile, format: ReportFormatName, io: Io): Promise<void> {
  if (format === 'sarif') throw new UsageError('a list of checks cannot be SARIF')
  await writeRows(listChecks(profile), { format: format === 'text' ? 'table' : format }, io)
}

function codesOf(typed: string | undefined): string[] | undefined {
  const codes = typed?.split(',').map((code) => code.trim())
  const unknown = codes?.find((code) => !isCheckCode(code))
  if (unknown === undefined) return codes
  const known = CHECKS.map(({ code }) => code)
  const meant = closestMatch(unknown, known)
  const hint = meant === undefined ? 'List them with: marc check --list' : `Did you mean ${meant}?`
  throw new UsageError(`there is no check ${JSON.stringify(unknown)}`, hint)
}

/** The checks with the severities of a profile, as rows. */
function listChecks(profile: Profile): { columns: string[]; rows: SqlValue[][] } {
  return {
    columns: ['code', 'severity', 'summary', 'evidence', 'source'],
    rows: CHECKS.map((check) => [
      ...[check.code, severityOf(check, profile), check.summary],
      ...[describeEvidence(check.evidence), check.source],
    ]),
  }
}
