import { basename, resolve } from 'node:path'
import { hasChoice } from '../../database/rows/choice.ts'
import { ArchiveError } from '../../errors.ts'
import { checkDataset, removePartition } from '../../exporters/dataset/dataset.ts'
import { viewsOf } from '../../exporters/dataset/dataset-schema.ts'
import { partitionName } from '../../exporters/dataset/partition-name.ts'
import { ENGINE_NAMES } from '../../exporters/ddl/engine.ts'
import { type ExportSummary, exportData } from '../../exporters/export-data.ts'
import {
  COMPRESSIONS,
  type ExportDataOptions,
  type FolderFormat,
} from '../../exporters/export-options.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { limitsOf, READING_OPTIONS, readingProgress, sourceOf } from '../options/reading-options.ts'
import { resolveSelection, SELECTION_OPTIONS, selectionOf } from '../options/selection-options.ts'
import { QUIET_OPTION } from '../options/shared-options.ts'
import {
  escapeControls,
  escapeControlsButNewlines,
  escapeControlsInJson,
} from '../output/escape-controls.ts'
import { safe } from '../output/safe-text.ts'
import { writeAll } from '../output/write-all.ts'
import { printError } from '../print-error.ts'
import { describeExport } from '../reports/describe-export.ts'
import { isDatabase } from '../sources/is-database.ts'
import { openReadable } from '../sources/open-readable.ts'

export const exportCommand = defineCommand({
  usage: '[sources..]',
  summary: 'Write records for other engines: Parquet, NDJSON or CSV',
  options: {
    sources: {
      type: 'string',
      array: true,
      describe: 'A database, or archives; each becomes a partition',
    },
    parquet: {
      type: 'string',
      value: '<folder>',
      group: 'Targets, exactly one:',
      describe:
        'A dataset of Parquet files, for DuckDB, Spark, Trino, ClickHouse, BigQuery, pandas',
    },
    ndjson: {
      type: 'string',
      value: '<folder>',
      group: 'Targets, exactly one:',
      describe: 'A line for each record, as it stood',
    },
    csv: {
      type: 'string',
      value: '<folder>',
      group: 'Targets, exactly one:',
      describe: 'A CSV file for each table; lists are JSON',
    },
    as: {
      type: 'string',
      value: '<name>',
      describe: "Name of the partition [the source's name, without its ending]",
    },
    raw: {
      type: 'boolean',
      describe: 'Add the column _record: the exact JSON text of each record',
    },
    derived: {
      type: 'boolean',
      default: true,
      describe: 'Leave out columns that follow from others, such as number and state',
    },
    compression: {
      choices: COMPRESSIONS,
      value: '<codec>',
      describe: 'Compression [zstd for Parquet, none for text]',
    },
    ddl: {
      type: 'boolean',
      describe: 'Print the SQL of views over a Parquet dataset, and stop',
      alone: true,
    },
    engine: {
      choices: ENGINE_NAMES,
      default: 'duckdb',
      value: '<name>',
      describe: 'Whose SQL --ddl prints',
    },
    remove: { type: 'string', value: '<name>', describe: 'Remove a partition', alone: true },
    wait: {
      type: 'boolean',
      default: true,
      describe: 'Fail at once if another process writes the same partition',
    },
    force: { type: 'boolean', describe: 'Write partitions again that are up to date' },
    salvage: {
      type: 'boolean',
      describe: 'Export what is readable of a damaged archive, and exit with 5',
    },
    json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
    ...SELECTION_OPTIONS,
    ...READING_OPTIONS,
    quiet: {
      ...QUIET_OPTION,
      describe: 'Show no progress and no summary; --json still prints one',
    },
  },
  exits: [1, 5],
  examples: [
    ['marc export samples/hello.tar.gz --parquet lake', 'a Parquet file for each kind'],
    ['marc export hello.db --csv tables --repo tea-timer', 'one repository, for a spreadsheet'],
  ],
  async run({ sources = [], parquet, ndjson, csv, remove, ...options }, io) {
    const { format, folder } = targetOf({ parquet, ndjson, csv })
    if (options.ddl) {
      if (format !== 'parquet') throw new UsageError('--ddl prints views of --parquet')
      checkDataset(folder)
      await writeAll(io.stdout, [escapeControlsButNewlines(viewsOf(folder, options.engine))])
      return 0
    }
    const { wait, json, signal } = { ...options, signal: io.signal }
    if (remove !== undefined) {
      const found = await removePartition(folder, remove, { wait, signal })
      const what = found ? safe`Removed` : safe`There is no partition`
      if (!options.quiet) await writeAll(io.stdout, [safe`${what} ${escapeControls(remove)}.\n`])
      return found ? 0 : 1
    }
    if (sources.length === 0) throw new UsageError('<sources> is missing')
    if (options.as !== undefined && sources.length > 1) {
      throw new UsageError('--as names one partition', 'Export each source by itself.')
    }
    refuseTarget(folder, sources)
    const choice = selectionOf(options)
    const shown = readingProgress('exporting', options, io)
    const settings: ExportDataOptions = {
      ...{ format, wait, signal, raw: options.raw, derived: options.derived, as: options.as },
      ...{ force: options.force, salvage: options.salvage, compression: options.compression },
      ...{ limits: limitsOf(options), progress: shown.progress },
      ...(hasChoice(choice) && { choice }),
    }
    const start = performance.now()
    const done: ExportSummary[] = []
    let refused = 0
    for (const named of sources) {
      try {
        done.push(await exportNamed(named, folder, settings, io))
      } catch (error) {
        const isOne = sources.length === 1 || io.signal?.aborted
        if (isOne || !(error instanceof ArchiveError)) throw error
        refused++
        shown.finish()
        await printError(error.at({ archive: named }), io, { json: json === true })
      }
    }
    shown.finish()
    const seconds = (performance.now() - start) / 1000
    if (json || !options.quiet) {
      const summary = { target: folder, format, partitions: done, seconds }
      const text = json
        ? escapeControlsInJson(JSON.stringify(summary))
        : describeExport(folder, done, seconds, io)
      await writeAll(io.stdout, [safe`${text}\n`])
    }
    return exitOf(done, refused)
  },
})

function targetOf(targets: Partial<Record<FolderFormat, string | undefined>>): {
  format: FolderFormat
  folder: string
} {
  const named = Object.entries(targets).filter(([, folder]) => folder !== undefined)
  const [first, second] = named as [FolderFormat, string][]
  if (!first || second) {
    throw new UsageError(
      first ? 'expected one target, found two' : 'expected a target, found none',
      'Name one of --parquet, --ndjson and --csv, with a folder.',
    )
  }
  return { format: first[0], folder: first[1] }
}

function refuseTarget(folder: string, sources: readonly string[]): void {
  if (!sources.some((source) => source !== '-' && resolve(source) === resolve(folder))) return
  throw new ArchiveError('output-refused', 'the target is one of the sources', { archive: folder })
}

async function exportNamed(
  named: string,
  folder: string,
  options: ExportDataOptions,
  io: Io,
): Promise<ExportSummary> {
  if (named === '-' && options.as === undefined) {
    throw new UsageError('the partition needs a name', 'Name it with --as.')
  }
  const { choice } = options
  if (!choice && (named === '-' || !(await isDatabase(named)))) {
    return exportData(await sourceOf(named, io), folder, options)
  }
  const database = await openReadable(named, io, { contents: 'none', writes: true })
  try {
    return await exportData(database, folder, {
      ...options,
      as: options.as ?? partitionName(basename(resolve(named))),
      ...(choice && { choice: await resolveSelection(database, choice) }),
    })
  } finally {
    database.close()
  }
}

function exitOf(done: readonly ExportSummary[], refused: number): ExitCode {
  if (refused > 0) return 1
  return done.some(({ state }) => state === 'salvaged') ? 5 : 0
}
