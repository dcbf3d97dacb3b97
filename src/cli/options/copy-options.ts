import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { asBytes } from '../../base/streams.ts'
import type { Database } from '../../database/open-database.ts'
import { refuseExisting, writeFile } from '../../files/write-file.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { ARCHIVE_OR_DATABASE, checkOutput } from '../output/check-output.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { QUIET_OPTION } from './shared-options.ts'

/** A form of a report, by the ending of its file. */
export type ReportForms<Report> = Readonly<Record<string, (report: Report) => string>>

export const asJson = (report: object): string => `${JSON.stringify(report, null, 2)}\n`

/** Options of commands that write a changed copy and report about it. */
export const reportOptions = (forms: ReportForms<never>) =>
  ({
    'dry-run': { type: 'boolean', describe: 'Only report' },
    report: { type: 'string', value: '<file>', describe: `Write a report: ${endingsOf(forms)}` },
    force: { type: 'boolean', describe: 'Overwrite the output and the report' },
  }) as const

export const PRINT_OPTIONS = {
  json: { type: 'boolean', describe: 'Print the report, and errors, as JSON' },
  quiet: { ...QUIET_OPTION, describe: 'Show no progress, and print no report' },
} as const

/** `.json, .md or .sarif` */
function endingsOf(forms: ReportForms<never>): string {
  const endings = Object.keys(forms).map((form) => `.${form}`)
  return `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`
}

const formOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** Throws `UsageError` for an output or a report that cannot be, before anything is read. */
export async function checkCopy(
  {
    output,
    report,
    force,
    dryRun,
  }: {
    output: string | undefined
    report: string | undefined
    force: boolean
    dryRun: boolean
  },
  {
    sources,
    forms,
    example,
    verb,
  }: {
    /** All files that are read. */
    sources: readonly (string | undefined)[]
    forms: ReportForms<never>
    example: string
    /** The verb for the work, such as `renamed`. */
    verb: string
  },
): Promise<void> {
  const read = sources.filter((source) => source !== undefined)
  const source = `what is to be ${verb}`
  if (output === undefined && !dryRun) {
    throw new UsageError('the output needs a name', `Name it with: -o ${example}`)
  }
  if (output !== undefined) {
    await checkOutput(output, read, { ...ARCHIVE_OR_DATABASE, example, source })
  }
  if (report === undefined) return
  if (!Object.hasOwn(forms, formOf(report))) {
    throw new UsageError(`--report takes a file that ends in ${endingsOf(forms)}, not ${report}`)
  }
  if (output !== undefined && resolve(report) === resolve(output)) {
    throw new UsageError('the output and its report need two names')
  }
  await checkOutput(report, read, { noun: 'a report', example: 'report.json', source })
  // Otherwise the copy would be written, and its report not.
  if (!force) refuseExisting(report)
}

/** Writes a report in the form of its file, and prints it unless that is not wanted. */
export async function writeReport<Report extends object>(
  report: Report,
  { path, forms, force }: { path: string | undefined; forms: ReportForms<Report>; force: boolean },
  { text, json, quiet }: { text: SafeText; json: boolean | undefined; quiet: boolean | undefined },
  io: Io,
): Promise<void> {
  const form = path === undefined ? undefined : forms[formOf(path)]
  if (path !== undefined && form) {
    await writeFile(path, asBytes([Buffer.from(form(report))]), { force })
  }
  if (quiet && !json) return
  const printed = json ? escapeControlsInJson(JSON.stringify(report)) : text
  await writeAll(io.stdout, [safe`${printed}\n`])
}

/** The exit code of a copy: 5, with a note, if its source was salvaged, since the copy lacks the same data. */
export async function exitOfCopy(database: Database, io: Io): Promise<ExitCode> {
  const names = database
    .prepare<[], string>(`SELECT name FROM archives WHERE state = 'salvaged' ORDER BY id`)
    .pluck()
    .all()
  for (const name of names) {
    const note = safe`${escapeControls(name)} was damaged when it was loaded: the copy has what was readable.`
    await writeAll(io.stderr, [safe`${note}\n`])
  }
  return names.length > 0 ? 5 : 0
}

/** Reads a file that an option names. Throws `UsageError` if that fails. */
export const readNamed = (path: string, option: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new UsageError(message, `Check the path after ${option}.`, { archive: path })
  })
