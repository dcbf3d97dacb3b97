import { statSync } from 'node:fs'
import { ArchiveError, type ErrorCode, throwIfInterrupted } from '../../base/errors.ts'
import type { ExportSummary } from '../../exporters/export-data.ts'
import { call } from '../../work/call.ts'
import type { Run } from '../../work/run.ts'
import { WorkerEnded } from '../../work/worker.ts'
import type { Io } from '../command/io.ts'
import { AdvisedError, UsageError } from '../command/usage-error.ts'
import { EXPORT_OPTIONS } from '../options/export-options.ts'
import { progressMode } from '../options/shared-options.ts'
import { showProgress } from '../output/progress.ts'
import { printError } from '../print-error.ts'
import { nameSource } from '../sources/name-source.ts'

/** Milliseconds that a process has to clean up after an interrupt. */
const GRACE = 2_000

/**
 * The program that exports sources one after the other, and tells each that is done: `export-program.ts`. It ends with the
 * error of the first that fails.
 */
export type ExportSources = Run<
  { sources: readonly string[]; options: Options; env: Io['env'] },
  void,
  ExportSummary
>

type Options = Readonly<Record<string, unknown>> & {
  jobs: string | undefined
  quiet?: boolean | undefined
  verbose?: boolean | undefined
}

/** The result of exporting several sources. */
export interface ExportResult {
  done: ExportSummary[]
  refused: number
  /** The fault of the target that stopped the export. */
  fault?: ArchiveError
  /** The sources that were not exported, if there was such a fault. */
  left?: string[]
}

const FAULTS: ReadonlySet<ErrorCode> = new Set([
  'target-failed',
  'output-full',
  'output-refused',
  'database-full',
  'package-missing',
  'dataset-foreign',
  'dataset-newer',
])

/** Whether an error is one of the target or the machine, which every other source would meet, too. */
export const isFaultOfTarget = ({ code }: ArchiveError): boolean => FAULTS.has(code)

/** Prints why a source was not exported, while others go on. */
export function printRefused(
  error: ArchiveError,
  source: string | undefined,
  { json }: Readonly<Record<string, unknown>>,
  io: Io,
): void {
  const advised = nameSource(error.at({ archive: source }), { source }, { options: EXPORT_OPTIONS })
  printError(advised, io, { json: json === true })
}

/** Parses a number of processes. Throws `UsageError`. */
export function jobsOf(text: string | undefined): number {
  if (text === undefined) return 1
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new UsageError(`--jobs takes a number, not ${JSON.stringify(text)}`)
}

/** Sources that a process takes at a time, at most. */
const MOST_TAKEN = 25

/** Batches of each process: the last ones are small, so that all processes end at about the same time. */
const BATCHES = 4

/**
 * Exports sources in several processes. Each process takes the next sources when it is done with some: to open a target for
 * each takes longer than to export a small archive. An export that fails, or whose process crashes, is reported and counted;
 * the others go on. A fault of the target stops all.
 *
 * @returns the partitions in the order of the sources
 */
export async function runJobs(
  sources: readonly string[],
  options: Options,
  io: Io,
  run = call,
): Promise<ExportResult> {
  const { env, signal } = io
  const waiting = [...sources.entries()]
  const done = new Map<number, ExportSummary>()
  let refused = 0
  let fault: ArchiveError | undefined
  const shown = showDone(sources, options, io)
  const jobs = Math.min(jobsOf(options.jobs), sources.length)
  const take = () =>
    waiting.splice(0, Math.min(MOST_TAKEN, Math.ceil(waiting.length / (jobs * BATCHES))))
  const work = async () => {
    try {
      for (let batch = take(); batch.length > 0; batch = take()) {
        const taken = batch.values()
        const progress = (summary: ExportSummary) => {
          const [i] = taken.next().value as [number, string]
          done.set(i, summary)
          shown.add(i)
        }
        const input = { sources: batch.map(([, source]) => source), options, env }
        try {
          const asked = { in: 'process', grace: GRACE, env, signal, progress } as const
          await run<ExportSources>('export', input, asked)
        } catch (error) {
          throwIfInterrupted(signal)
          const known = error instanceof ArchiveError ? error : crashed(error)
          if (known.code === 'interrupted') throw known
          if (isFaultOfTarget(known)) {
            fault ??= known
            return
          }
          const [failed, ...rest] = taken
          waiting.unshift(...rest)
          refused++
          shown.clear()
          printRefused(known, failed?.[1], options, io)
          if (failed) shown.add(failed[0])
        }
      }
    } finally {
      // After an error the others only end what they began.
      waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: jobs }, work)).finally(shown.finish)
  const left = sources.filter((_, i) => !done.has(i))
  return {
    done: sources.flatMap((_, i) => done.get(i) ?? []),
    refused,
    ...(fault && { fault, left }),
  }
}

/** Shows how many sources are done, by their sizes. */
function showDone(sources: readonly string[], options: Options, { stderr }: Io) {
  const sizes = sources.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  const shown = showProgress(stderr, {
    label: `exporting ${sources.length} archives`,
    total: sizes.reduce((sum, size) => sum + size, 0),
    mode: progressMode(options),
  })
  let bytes = 0
  let count = 0
  return {
    ...shown,
    add(i: number) {
      bytes += sizes[i] ?? 0
      count++
      shown.update(bytes, () => `${count} done`)
    },
  }
}

const crashed = (error: unknown) =>
  new AdvisedError(
    new ArchiveError('output-failed', describeCrash(error)),
    'The other archives are not affected. Export this one alone, without --jobs, and report what it prints.',
  )

const describeCrash = (error: unknown): string =>
  error instanceof WorkerEnded
    ? `its process ${error.how}`
    : (error instanceof Error && error.stack) || String(error)
