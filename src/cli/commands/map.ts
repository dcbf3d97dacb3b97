import { checkSource } from '../../archive/open-archive.ts'
import type { Database } from '../../database/open-database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { hasSelection, type Selection } from '../../database/rows/selection.ts'
import { isDatabase } from '../../files/is-database.ts'
import { findNames } from '../../transform/map/find-names.ts'
import { createLookup } from '../../transform/map/identity-map.ts'
import {
  type MapOptions,
  mapRecords,
  UNMAPPED,
  type Unmapped,
} from '../../transform/map/map-records.ts'
import { type MapReport, unknownNames } from '../../transform/map/map-report.ts'
import { MENTIONS } from '../../transform/map/map-texts.ts'
import { userTemplate } from '../../transform/map/template.ts'
import { defineCommand } from '../command/command.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { asStored } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import {
  asJson,
  checkCopy,
  exitOfCopy,
  PRINT_OPTIONS,
  type ReportForms,
  reportOptions,
  writeReport,
} from '../options/copy-options.ts'
import { MAP_OPTIONS, readMap } from '../options/map-options.ts'
import { SELECTION_OPTIONS, selectionOf } from '../options/selection-options.ts'
import { COPY_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { escapeControlsButNewlines } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { resolveSelection } from '../process/resolve-selection.ts'
import { describeMap, mapMarkdown } from '../reports/describe-map.ts'
import { listBreaches } from '../reports/prepare-build.ts'
import { knownName } from '../sources/known-names.ts'
import { inSource, openReadable } from '../sources/open-readable.ts'

/** The forms of a report. */
const REPORTS: ReportForms<MapReport> = { json: asJson, md: mapMarkdown }

export const map = defineCommand({
  usage: '<source>',
  options: {
    source: SOURCE_OPTION,
    output: COPY_OPTION,
    ...MAP_OPTIONS,
    template: { type: 'boolean', describe: 'Print a CSV of all people to fill in, and stop' },
    mentions: {
      choices: MENTIONS,
      default: 'text',
      value: '<where>',
      describe: 'Where to replace @login in texts: in code too, outside of code, nowhere',
    },
    unmapped: {
      choices: UNMAPPED,
      default: 'keep',
      value: '<what>',
      describe:
        'People without a new name: keep them, refuse with exit code 1, or remove them (ghost)',
    },
    merge: {
      type: 'boolean',
      describe: 'Let people with the same new name become one; cannot be undone',
    },
    'texts-everywhere': {
      type: 'boolean',
      describe: 'Also replace URLs in texts of unknown members and kinds',
    },
    'in-place': { type: 'boolean', describe: 'Change the database itself, in one transaction' },
    ...reportOptions(REPORTS),
    ...SELECTION_OPTIONS,
    ...PRINT_OPTIONS,
  },
  exits: [1, 5],
  works: 'in SQLite',
  examples: [
    [
      'marc map samples/hello.tar.gz --rename teo-park=teo -o renamed.tar.gz --force',
      'one person under a new name',
    ],
    ['marc map samples/hello.tar.gz --template', 'all people, to fill in their new names'],
    [
      'marc map samples/hello.tar.gz --url https://github.com=https://forge.example -o moved.db',
      'another host',
    ],
  ],
  async run({ source, output, users, url, rename = [], template, ...typed }, io) {
    const { report: reportFile, force = false, json, quiet } = typed
    const [inPlace, dryRun] = [typed['in-place'] === true, typed['dry-run'] === true]
    if (source !== '-') await checkSource(source)
    if (template) return writeTemplate(source, io)
    const selection = selectionOf(typed)
    if (inPlace) await checkInPlace({ source, output, selection })
    await checkCopy(
      { output, report: reportFile, force, dryRun: dryRun || inPlace },
      { sources: [source, users], forms: REPORTS, example: 'renamed.tar.gz', verb: 'renamed' },
    )
    io.growYoungSpace?.()
    const names = await readMap(users, url, rename)
    const options: MapOptions = {
      mentions: typed.mentions as (typeof MENTIONS)[number],
      unmapped: typed.unmapped as Unmapped,
      merge: typed.merge,
      textsEverywhere: typed['texts-everywhere'],
    }
    const breaches = listBreaches(io, { json, clear: () => {} })
    let report: MapReport
    let code: ExitCode = 0
    if (inPlace && !dryRun) {
      report = await withDatabase(
        source,
        openDatabase(source, { readonly: false }),
        async (database) => {
          await refuseUnknown(database, rename)
          return mapRecords(database, names, options)
        },
      )
    } else {
      const opened = await openReadable(source, io, { contents: 'all', writes: true, quiet })
      report = await withDatabase(source, opened, async (database) => {
        await refuseUnknown(database, rename)
        const { mapDatabase } = await import('../../transform/map/map-database.ts')
        const mapped = await mapDatabase(database, dryRun ? undefined : output, names, {
          ...(await resolveSelection(database, selection, { timeout: typed.timeout, io })),
          ...options,
          force,
          report: breaches.report,
          ...(io.signal && { signal: io.signal }),
        })
        if (!dryRun) code = await exitOfCopy(database, io)
        return mapped
      })
    }
    breaches.finish()
    const title = dryRun ? 'To be renamed' : (output ?? source)
    const printed = { text: describeMap(report, title), json, quiet }
    await writeReport(report, { path: reportFile, forms: REPORTS, force }, printed, io)
    return code
  },
})

async function withDatabase<T>(
  source: string,
  database: Database,
  work: (database: Database) => Promise<T>,
) {
  try {
    return await work(database)
  } catch (error) {
    throw inSource(error, database, source)
  } finally {
    database.close()
  }
}

async function writeTemplate(source: string, io: Io): Promise<0> {
  const database = await openReadable(source, io)
  try {
    const { stdout } = io
    const show = stdout.isTTY ? escapeControlsButNewlines : asStored
    await writeAll(stdout, Iterator.from(userTemplate(database)).map(show))
    return 0
  } finally {
    database.close()
  }
}

/**
 * Throws `UsageError` for an old name of --rename that no record has, with the closest one. A file of people may be one for many
 * archives.
 */
async function refuseUnknown(database: Database, renames: readonly string[]): Promise<void> {
  const asked = await readMap(undefined, [], renames)
  createLookup(asked, { merge: true }) // another fault of a name says more
  for (const { old } of asked.repositories) await knownName(database, 'repository', old)
  if (asked.logins.length === 0) return
  const names = findNames(database)
  const [unknown] = unknownNames(database, { ...asked, repositories: [] }, names)
  if (unknown === undefined) return
  const hint = didYouMean(unknown, names.people) ?? 'List all with: marc map <source> --template'
  throw new UsageError(`no such person: ${unknown}`, hint)
}

/** Throws `UsageError` for what does not go with --in-place. */
async function checkInPlace({
  source,
  output,
  selection,
}: {
  source: string
  output: string | undefined
  selection: Selection
}): Promise<void> {
  if (output !== undefined) throw new UsageError('expected -o or --in-place, found both')
  if (!(await isDatabase(source))) {
    throw new UsageError('--in-place takes a database', 'Name an output with: -o renamed.tar.gz')
  }
  if (hasSelection(selection)) {
    throw new UsageError('--in-place renames everything', 'To select, name an output with: -o')
  }
}
