import { checkSource } from '../../archive/open-archive.ts'
import { ArchiveError, type Place } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName, quoteText } from '../../database/quote.ts'
import { recordTables } from '../../database/rows/read-record.ts'
import { WHAT, type What } from '../../transform/redact/detect.ts'
import { parseOwnPatterns } from '../../transform/redact/own-patterns.ts'
import { MODES } from '../../transform/redact/pseudonyms.ts'
import {
  ATTACHMENTS,
  GIT,
  type RedactOptions,
  type RedactReport,
} from '../../transform/redact/redact-options.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { ownText, safe } from '../command/safe-text.ts'
import { AdvisedError, shellWord, UsageError } from '../command/usage-error.ts'
import {
  asJson,
  checkCopy,
  exitOfCopy,
  PRINT_OPTIONS,
  type ReportForms,
  readNamed,
  reportOptions,
  writeReport,
} from '../options/copy-options.ts'
import { SELECTION_OPTIONS, selectionOf } from '../options/selection-options.ts'
import { COPY_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { writeAll } from '../output/write-all.ts'
import { resolveSelection } from '../process/resolve-selection.ts'
import {
  describeRedaction,
  redactionMarkdown,
  redactionSarif,
  warningOf,
} from '../reports/describe-redaction.ts'
import { listBreaches } from '../reports/prepare-build.ts'
import { inSource, openReadable } from '../sources/open-readable.ts'

/** The forms of a report. */
const REPORTS: ReportForms<RedactReport> = {
  json: asJson,
  md: redactionMarkdown,
  sarif: (report) => asJson(redactionSarif(report)),
}

export const redact = defineCommand({
  usage: '<source>',
  options: {
    source: SOURCE_OPTION,
    output: COPY_OPTION,
    'key-file': {
      type: 'string',
      value: '<file>',
      describe: 'A key of 32 bytes or more: it gives the same pseudonyms each time [random]',
    },
    what: {
      type: 'string',
      value: '<types>',
      describe: `Any of ${WHAT.join()} [emails,names,ips,secrets]`,
    },
    mode: {
      choices: MODES,
      default: 'pseudonym',
      value: '<mode>',
      describe: 'Replacement: a pseudonym, a mask such as [email], or nothing',
    },
    'keep-domain': { type: 'boolean', describe: 'Keep the domains of addresses' },
    keep: {
      type: 'string',
      value: '<file>',
      describe: 'File with values to keep, one on each line: addresses, domains, logins, names',
    },
    also: {
      type: 'string',
      value: '<file>',
      describe: 'File with words and /patterns/ to remove as well, one on each line',
    },
    attachments: {
      choices: ATTACHMENTS,
      default: 'scan',
      value: '<what>',
      describe: 'Contents of files: keep them, scan texts and pictures, or replace all of them',
    },
    'drop-file': {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<path>',
      describe: 'Replace the contents of this file; repeatable',
    },
    'keep-unread': {
      type: 'boolean',
      describe: 'Keep files that cannot be read, such as PDF and video: else they are replaced',
    },
    git: {
      choices: GIT,
      default: 'authors',
      value: '<what>',
      describe:
        'Git data, with new ids: clean all but files, or the whole history; else keep it, or drop it',
    },
    ...reportOptions(REPORTS),
    'fail-on': {
      choices: ['secrets'],
      value: '<type>',
      describe: 'Exit with 1 if any was found',
    },
    ...SELECTION_OPTIONS,
    ...PRINT_OPTIONS,
  },
  exits: [1, 5],
  works: 'in SQLite',
  examples: [
    ['marc redact samples/hello.tar.gz --dry-run', 'what would be removed'],
    ['marc redact samples/hello.tar.gz -o public.tar.gz --force', 'a copy to share'],
    [
      'marc redact samples/hello.tar.gz --what emails,names,logins,ips,secrets -o anonymous.db --force',
      'people by pseudonyms alone',
    ],
  ],
  async run({ source, output, what, keep, also, report: reportFile, ...typed }, io) {
    const { force = false, json, quiet, mode, attachments, git } = typed
    const dryRun = typed['dry-run'] === true
    if (source !== '-') await checkSource(source)
    const keyFile = typed['key-file']
    await checkCopy(
      { output, report: reportFile, force, dryRun },
      {
        sources: [source, keyFile, keep, also],
        forms: REPORTS,
        example: 'public.tar.gz',
        verb: 'redacted',
      },
    )
    const patterns = also === undefined ? undefined : await readLines(also, 'also', { empty: true })
    // Before anything is read.
    if (patterns) parseOwnPatterns(patterns, also)
    const breaches = listBreaches(io, { json, clear: () => {} })
    const options: RedactOptions = {
      mode,
      attachments,
      git,
      keepDomain: typed['keep-domain'],
      what: parseWhat(what),
      dropFiles: typed['drop-file'],
      keepUnread: typed['keep-unread'],
      key: keyFile === undefined ? undefined : await readKey(keyFile),
      keep: keep === undefined ? undefined : await readLines(keep, 'keep'),
      also: patterns,
      force,
      report: breaches.report,
      ...(io.signal && { signal: io.signal }),
    } as RedactOptions
    const selection = selectionOf(typed)
    io.growYoungSpace?.()
    // The process that starts this one needs the options only.
    const { redactDatabase } = await import('../../transform/redact/redact-database.ts')
    const database = await openReadable(source, io, { contents: 'all', writes: true, quiet })
    try {
      const selected = await resolveSelection(database, selection, { timeout: typed.timeout, io })
      const report = await redactDatabase(database, dryRun ? undefined : output, {
        ...options,
        ...selected,
      })
      breaches.finish()
      const text = describeRedaction(report, dryRun ? undefined : output)
      const target = { path: reportFile, forms: REPORTS, force }
      await writeReport(report, target, { text, json, quiet }, io)
      const exit = dryRun ? 0 : await exitOfCopy(database, io)
      await warnOfGit(report, io)
      const secrets = (report.counts.secret ?? 0) + (report.git.counts.secret ?? 0)
      return typed['fail-on'] === 'secrets' && secrets > 0 ? 1 : exit
    } catch (error) {
      throw advise(inSource(error, database, source), database, { source, git })
    } finally {
      database.close()
    }
  },
})

/** Says at the very end that Git data still names people, however little is to be printed. */
async function warnOfGit(report: RedactReport, io: Io): Promise<void> {
  const warning = warningOf(report)
  if (warning !== undefined) await writeAll(io.stderr, [safe`${ownText(warning)}\n`])
}

/** Adds what to do about the file or repository that stopped the work. */
function advise(
  error: unknown,
  database: Database,
  { source, git }: { source: string; git: string },
): unknown {
  if (!(error instanceof ArchiveError)) return error
  const { code, place } = error
  const { entry = '' } = place
  if (
    (git === 'authors' || git === 'history') &&
    (code.startsWith('git-') || entry.startsWith('repositories/'))
  ) {
    return new AdvisedError(
      error,
      'Leave Git data out with --git drop, or as it is, with its authors, with --git keep.',
    )
  }
  const isFile = database.prepare('SELECT 1 FROM files WHERE path = ?').get(entry) !== undefined
  if (code === 'redaction-incomplete' && isFile) {
    const option = `--drop-file ${shellWord(entry)}`
    return new AdvisedError(
      error,
      `Nothing was written. Replace the contents of this file: ${option}`,
    )
  }
  const record = code === 'redaction-incomplete' ? allBut(database, place) : undefined
  if (record !== undefined) {
    return new AdvisedError(error, `Nothing was written. Leave out this record: ${record}`)
  }
  if (code === 'option-invalid' && entry !== '') {
    return new AdvisedError(
      error,
      `List the files with: marc attachments list ${shellWord(source)}`,
    )
  }
  return error
}

/** The options that select all but the record at a place. They do not name it by its URL, which may have the value. */
function allBut(database: Database, { entry, record }: Place): string | undefined {
  if (entry === undefined || record === undefined) return undefined
  const table = recordTables(database).find(
    (name) =>
      database
        .prepare(`SELECT 1 FROM ${quoteName(name)} WHERE _entry = ? AND _record_number = ?`)
        .get(entry, record) !== undefined,
  )
  const condition = `${table}=_entry = ${quoteText(entry)} AND _record_number = ${record}`
  return table === undefined ? undefined : `--not --where ${shellWord(condition)}`
}

function parseWhat(text: string | undefined): What[] | undefined {
  const words = text?.split(',').map((word) => word.trim())
  const strange = words?.find((word) => !WHAT.some((what) => what === word))
  if (strange === undefined) return words as What[] | undefined
  throw new UsageError(`--what takes ${WHAT.join(', ')}, not ${JSON.stringify(strange)}`)
}

async function readKey(path: string): Promise<Uint8Array> {
  const key = await readNamed(path, '--key-file')
  if (key.length >= 32) return key
  throw new UsageError(
    `expected a key of 32 bytes or more, found ${key.length === 0 ? 'none' : key.length}`,
    'Make one with: head -c 32 /dev/urandom > key',
    { archive: path },
  )
}

async function readLines(path: string, option: string, { empty = false } = {}): Promise<string[]> {
  const lines = (await readNamed(path, `--${option}`)).toString('utf8').split(/\r?\n/)
  // Lines of patterns keep their numbers for messages.
  return empty ? lines : lines.map((line) => line.trim()).filter((line) => line !== '')
}
