import { checkSource } from '../../archive/open-archive.ts'
import type { Database } from '../../database/open-database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { hasChoice } from '../../database/rows/choice.ts'
import { writeFile } from '../../files/write-file.ts'
import { asBytes } from '../../streams.ts'
import { mapDatabase } from '../../transform/map/map-database.ts'
import {
  type MapOptions,
  type MapReport,
  mapRecords,
  UNMAPPED,
  type Unmapped,
} from '../../transform/map/map-records.ts'
import { MENTIONS } from '../../transform/map/map-texts.ts'
import { userTemplate } from '../../transform/map/template.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { MAP_OPTIONS, readMap } from '../options/map-options.ts'
import { resolveSelection, SELECTION_OPTIONS, selectionOf } from '../options/selection-options.ts'
import { COPY_OPTION, QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { checkOutput } from '../output/check-output.ts'
import { escapeControlsButNewlines, escapeControlsInJson } from '../output/escape-controls.ts'
import { asStored, safe } from '../output/safe-text.ts'
import { writeAll } from '../output/write-all.ts'
import { describeMap, mapMarkdown } from '../reports/describe-map.ts'
import { listBreaches } from '../reports/prepare-build.ts'
import { isDatabase } from '../sources/is-database.ts'
import { openReadable } from '../sources/open-readable.ts'

export const map = defineCommand({
  usage: '<source>',
  summary: 'Rename people, repositories and hosts wherever they appear',
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
    'dry-run': { type: 'boolean', describe: 'Only report' },
    report: { type: 'string', value: '<file>', describe: 'Write a report: .json or .md' },
    force: { type: 'boolean', describe: 'Overwrite the output and the report' },
    ...SELECTION_OPTIONS,
    json: { type: 'boolean', describe: 'Print the report, and errors, as JSON' },
    quiet: QUIET_OPTION,
  },
  exits: [1],
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
  async run({ source, output, users, url, rename, template, ...typed }, io) {
    const { report: reportFile, force = false, json, quiet } = typed
    const [inPlace, dryRun] = [typed['in-place'] === true, typed['dry-run'] === true]
    if (source !== '-') await checkSource(source)
    if (template) return writeTemplate(source, io)
    await checkTargets({ source, output, users, report: reportFile, inPlace, dryRun })
    const choice = selectionOf(typed)
    if (inPlace && hasChoice(choice)) {
      throw new UsageError('--in-place renames everything', 'To select, name an output with: -o')
    }
    const names = await readMap(users, url, rename)
    const options: MapOptions = {
      mentions: typed.mentions as (typeof MENTIONS)[number],
      unmapped: typed.unmapped as Unmapped,
      merge: typed.merge,
      textsEverywhere: typed['texts-everywhere'],
    }
    const breaches = listBreaches(io, { json, clear: () => {} })
    let report: MapReport
    if (inPlace && !dryRun) {
      report = await withDatabase(openDatabase(source, { readonly: false }), async (database) =>
        mapRecords(database, names, options),
      )
    } else {
      const opened = await openReadable(source, io, { contents: 'all', writes: true, quiet })
      report = await withDatabase(opened, async (database) =>
        mapDatabase(database, dryRun ? undefined : output, names, {
          ...(await resolveSelection(database, choice, { timeout: typed.timeout, io })),
          ...options,
          force,
          report: breaches.report,
          ...(io.signal && { signal: io.signal }),
        }),
      )
    }
    breaches.finish()
    if (reportFile !== undefined) {
      const text = reportFile.endsWith('.md')
        ? mapMarkdown(report)
        : `${JSON.stringify(report, null, 2)}\n`
      await writeFile(reportFile, asBytes([Buffer.from(text)]), { force })
    }
    if (quiet && !json) return 0
    const text = json ? escapeControlsInJson(JSON.stringify(report)) : describeMap(report, output)
    await writeAll(io.stdout, [safe`${text}\n`])
    return 0
  },
})

async function withDatabase<T>(database: Database, work: (database: Database) => Promise<T>) {
  try {
    return await work(database)
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

/** Throws `UsageError` for outputs that cannot be, before anything is read. */
async function checkTargets({
  source,
  output,
  users,
  report,
  inPlace,
  dryRun,
}: {
  source: string
  output: string | undefined
  users: string | undefined
  report: string | undefined
  inPlace: boolean
  dryRun: boolean
}): Promise<void> {
  const made = {
    what: 'an archive or a database',
    example: 'renamed.tar.gz',
    source: 'what is to be renamed',
  }
  if (inPlace && output !== undefined) {
    throw new UsageError('expected -o or --in-place, found both')
  }
  if (inPlace && !(await isDatabase(source))) {
    throw new UsageError('--in-place takes a database', 'Name an output with: -o renamed.tar.gz')
  }
  if (!inPlace && !dryRun && output === undefined) {
    throw new UsageError('the output needs a name', 'Name it with: -o renamed.tar.gz')
  }
  const sources = [source, ...(users === undefined ? [] : [users])]
  if (output !== undefined) await checkOutput(output, sources, made)
  if (report === undefined) return
  if (!/\.(json|md)$/.test(report)) {
    throw new UsageError(`--report takes a file that ends in .json or .md, not ${report}`)
  }
  await checkOutput(report, sources, { ...made, what: 'a report', example: 'report.json' })
}
