import { basename, resolve } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { checkDataset } from '../../exporters/dataset/dataset.ts'
import { viewsOf } from '../../exporters/dataset/dataset-schema.ts'
import { partitionName } from '../../exporters/dataset/partition-name.ts'
import { type ExportDataSource, removePartition } from '../../exporters/export-data.ts'
import { describeSchema as describeClickHouse } from '../../exporters/targets/clickhouse/schema.ts'
import { createSchema } from '../../exporters/targets/duckdb/schema.ts'
import { describeSchema } from '../../exporters/targets/postgres/schema.ts'
import { describeFront, parseShards } from '../../exporters/targets/postgres/shards.ts'
import { isStore } from '../../exporters/targets/s3/place.ts'
import { viewsOfStore } from '../../exporters/targets/s3/s3.ts'
import {
  type ExportVerification,
  type VerifyExportOptions,
  verifyWith,
} from '../../exporters/verify/verify-export.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { AdvisedError, UsageError } from '../command/usage-error.ts'
import {
  credentialsIn,
  EXPORT_OPTIONS,
  markdownFolder,
  type NamedTarget,
  SERVERS,
  targetOf,
} from '../options/export-options.ts'
import { limitsOf, readingProgress } from '../options/reading-options.ts'
import {
  escapeControls,
  escapeControlsButNewlines,
  escapeControlsInJson,
} from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { printError } from '../print-error.ts'
import {
  type ExportResult,
  isFaultOfTarget,
  jobsOf,
  printRefused,
  runJobs,
} from '../process/export-jobs.ts'
import {
  type ExportCommandOptions,
  exportUnit,
  exportUnits,
  type UnitRun,
  withSource,
} from '../process/with-export-source.ts'
import { describeExport, describeLeft, describeVerification } from '../reports/describe-export.ts'
import { expandSources } from '../sources/expand-sources.ts'

export const exportCommand = defineCommand({
  usage: '[sources..]',
  options: {
    sources: {
      type: 'string',
      array: true,
      foreign: true,
      describe: 'Databases, archives or folders of them; each becomes a partition',
    },
    ...EXPORT_OPTIONS,
  },
  whenInterrupted: 'Archives that were exported stay. Run the command again for the others.',
  exits: [1, 4, 5],
  works: 'in SQLite',
  examples: [
    ['marc export samples/hello.tar.gz --parquet lake', 'a Parquet file for each kind'],
    ['marc export hello.db --csv tables --repo tea-timer', 'one repository, for a spreadsheet'],
    [
      'marc export samples/hello.tar.gz --markdown notes',
      'a file for each thread, to read and grep',
    ],
  ],
  async run({ sources: named = [], ...options }, io) {
    const { remove } = options
    const folder = markdownFolder(options)
    if (folder !== undefined) {
      const { exportAsMarkdown } = await import('../process/export-as-markdown.ts')
      return exportAsMarkdown(named, folder, options, io)
    }
    const sources = await expandSources(named)
    const target = targetOf(options)
    refuseService(target, io)
    const { signal } = io
    if (options.ddl) {
      await writeAll(io.stdout, [
        escapeControlsButNewlines(await statementsFor(target, options, io)),
      ])
      return 0
    }
    if (options.shards !== undefined) throw new UsageError(SHARDS)
    warnOfPassword(target, options.quiet === true, io)
    if (remove !== undefined) {
      if (sources.length > 0) throw new UsageError('--remove needs no sources')
      const { format, place, schema } = target
      const { wait } = options
      const removing = { format, schema, wait, signal, ...credentialsIn(io) }
      const found = await removePartition(place, remove, removing)
      const what = found ? safe`Removed` : safe`There is no partition`
      if (!options.quiet) await writeAll(io.stdout, [safe`${what} ${escapeControls(remove)}.\n`])
      return found ? 0 : 1
    }
    if (options.verify) {
      const found = await verifyAll(sources, target, options, io)
      const partitions = found.filter(({ name }) => name !== null)
      const [rest] = found.filter(({ name }) => name === null)
      const text = options.json
        ? escapeControlsInJson(JSON.stringify({ target: target.shown, partitions, rest }))
        : describeVerification(found, io)
      if (options.json || !options.quiet) await writeAll(io.stdout, [safe`${text}\n`])
      return found.some(({ differences }) => differences.length > 0) ? 1 : 0
    }
    refuseSources(sources, target, options)
    io.keepYoungSpace?.()
    const start = performance.now()
    const result =
      jobsOf(options.jobs) > 1 && sources.length > 1 && !options.together && !isForOne(target)
        ? await runJobs(sources, options, io)
        : await exportInTurn(sources, target, options, io)
    const seconds = (performance.now() - start) / 1000
    if (options.json || !options.quiet) {
      const { format, shown } = target
      const { done: partitions, left: notExported } = result
      const summary = { target: shown, format, partitions, notExported, seconds }
      const text = options.json
        ? escapeControlsInJson(JSON.stringify(summary))
        : describeExport(shown, result.done, seconds, io)
      await writeAll(io.stdout, [safe`${text}\n`])
    }
    return exitOf(result, sources, options, io)
  },
})

/** Whether one process at a time writes a target: then several would only wait for each other. */
const isForOne = ({ format }: NamedTarget) => format === 'duckdb'

const SHARDS = '--shards needs --ddl and --postgres'

/** The SQL of views over a dataset, or of the tables of a database. */
async function statementsFor(
  { format, place, schema = 'marc' }: NamedTarget,
  { engine, shards, indexes, 'partition-by': partitionBy }: ExportCommandOptions,
  io: Io,
): Promise<string> {
  if (shards !== undefined && format !== 'postgres') throw new UsageError(SHARDS)
  if (format === 'postgres') {
    return shards === undefined
      ? describeSchema(schema, { indexes })
      : describeFront(schema, parseShards(shards, place))
  }
  if (format === 'clickhouse') return describeClickHouse(schema, partitionBy)
  if (format === 'duckdb') return `${createSchema()}\n`
  if (format !== 'parquet') {
    throw new UsageError('--ddl needs --parquet, --duckdb, --postgres or --clickhouse')
  }
  if (isStore(place)) {
    return viewsOfStore(place, engine, { signal: io.signal, ...credentialsIn(io) })
  }
  checkDataset(place)
  return viewsOf(place, engine)
}

/** Throws `UsageError` if only a service, which the driver does not read, says where the server is. */
function refuseService({ format, place }: NamedTarget, { env }: Io): void {
  if (format !== 'postgres' || !URL.canParse(place)) return
  const { host, searchParams } = new URL(place)
  const isNamed = host !== '' || searchParams.has('host')
  if (!searchParams.has('service') && (isNamed || !env.PGSERVICE)) return
  throw new UsageError(
    'services of PostgreSQL (PGSERVICE, pg_service.conf) are not read',
    'Name the server in the address: --postgres postgres://user@host:5432/database',
  )
}

function warnOfPassword({ format, tellsPassword }: NamedTarget, quiet: boolean, io: Io): void {
  if (quiet || !tellsPassword) return
  const instead = escapeControls(SERVERS[format]?.passwords ?? 'AWS_SECRET_ACCESS_KEY')
  io.stderr.write(safe`marc: others can see a password in a command line: use ${instead}\n`)
}

function refuseSources(
  sources: readonly string[],
  { place, shown }: NamedTarget,
  { as, together }: ExportCommandOptions,
): void {
  if (sources.length === 0) throw new UsageError('<sources> is missing')
  if (together && as === undefined) throw new UsageError('--together needs a name: --as <name>')
  if (as !== undefined && sources.length > 1 && !together) {
    throw new UsageError('--as names one partition', 'Make one of all sources with --together.')
  }
  if (sources.some((source) => source !== '-' && resolve(source) === resolve(place))) {
    const message = 'the target is one of the sources'
    const refusal = new ArchiveError('output-refused', message, { archive: shown })
    throw new AdvisedError(refusal, 'Name another target.')
  }
  const names = together ? [] : sources.map((source) => partitionName(basename(resolve(source))))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return
  const hint = 'Export each source by itself, with --as.'
  throw new UsageError(`two sources are called ${JSON.stringify(twice)}`, hint)
}

async function exportInTurn(
  sources: readonly string[],
  target: NamedTarget,
  options: ExportCommandOptions,
  io: Io,
): Promise<ExportResult> {
  const shown = readingProgress('exporting', options, io)
  const watching = { io, progress: shown.progress }
  if (options.together || sources.length === 1) {
    const done = await exportUnit(sources, target, options, watching)
    shown.finish()
    return { done: [done], refused: 0 }
  }
  const result: ExportResult = { done: [], refused: 0 }
  const exported = new Map<string, string>()
  let waiting: UnitRun['waiting'] = () => []
  try {
    await exportUnits(target, options, watching, async (run) => {
      waiting = run.waiting
      for (const source of sources) {
        try {
          const summary = await run.add([source])
          result.done.push(summary)
          exported.set(summary.name, source)
        } catch (error) {
          shown.finish()
          if (io.signal?.aborted || !(error instanceof ArchiveError)) throw error
          if (isFaultOfTarget(error)) throw error
          result.refused++
          printRefused(error, source, options, io)
        }
      }
    })
  } catch (error) {
    if (io.signal?.aborted || !(error instanceof ArchiveError)) throw error
    for (const name of waiting()) exported.delete(name)
    const there = new Set(exported.values())
    result.done = result.done.filter(({ name }) => exported.has(name))
    return { ...result, fault: error, left: sources.filter((source) => !there.has(source)) }
  }
  shown.finish()
  return result
}

/** Compares each partition with its sources, or all of them with their manifests. */
async function verifyAll(
  sources: readonly string[],
  { format, place, schema }: NamedTarget,
  options: ExportCommandOptions,
  io: Io,
): Promise<ExportVerification[]> {
  const { as, salvage, together, wait } = options
  const shown = readingProgress('verifying', options, io)
  const settings: VerifyExportOptions = {
    format,
    schema,
    wait,
    salvage,
    ...credentialsIn(io),
    limits: limitsOf(options),
    progress: shown.progress,
    signal: io.signal,
  }
  const found = await verifyWith(place, settings, async (verify) => {
    if (sources.length === 0) return verify(undefined, as)
    const done: ExportVerification[] = []
    for (const unit of together ? [sources] : sources.map((source) => [source])) {
      const verifyUnit = (source: ExportDataSource, unitOptions: { as?: string | undefined }) =>
        verify(source, unitOptions.as)
      done.push(...(await withSource(unit, { as }, io, verifyUnit)))
    }
    return done
  })
  shown.finish()
  return found
}

function exitOf(
  { done, refused, fault, left = [] }: ExportResult,
  sources: readonly string[],
  { json }: ExportCommandOptions,
  io: Io,
): ExitCode {
  if (fault) {
    const code = printError(fault, io, { json: json === true })
    if (!json) io.stderr.write(safe`${describeLeft(left, sources.length)}\n`)
    return code
  }
  if (refused > 0) return 1
  return done.some(({ state }) => state === 'salvaged') ? 5 : 0
}
