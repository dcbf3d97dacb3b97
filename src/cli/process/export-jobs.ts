import { ArchiveError, type ErrorCode, throwIfInterrupted } from '../../base/errors.ts'
import type { ExportSummary } from '../../exporters/export-data.ts'
import { call } from '../../work/call.ts'
import type { Run } from '../../work/run.ts'
import { WorkerEnded } from '../../work/worker.ts'
import type { Io } from '../command/io.ts'
import { AdvisedError, UsageError } from '../command/usage-error.ts'
import { EXPORT_OPTIONS } from '../options/export-options.ts'
import { printError } from '../print-error.ts'
import { nameSource } from '../sources/name-source.ts'

/** Milliseconds that a process has to clean up after an interrupt. */
const GRACE = 2_000

/** The program that exports one source: `export-program.ts`. */
export type ExportSource = Run<{ source: string; options: Options; env: Io['env'] }, ExportSummary>

type Options = Readonly<Record<string, unknown>> & { jobs: string | undefined }

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

/**
 * Exports sources in several processes. Each process takes the next source when it is done with one. An export that fails,
 * or whose process crashes, is reported and counted; the others go on. A fault of the target stops all.
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
  const work = async () => {
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [i, source] = next
        try {
          const asked = { in: 'process', grace: GRACE, env, signal } as const
          done.set(i, await run<ExportSource>('export', { source, options, env }, asked))
        } catch (error) {
          throwIfInterrupted(signal)
          const known = error instanceof ArchiveError ? error : crashed(error)
          if (known.code === 'interrupted') throw known
          if (isFaultOfTarget(known)) {
            fault ??= known
            return
          }
          refused++
          printRefused(known, source, options, io)
        }
      }
    } finally {
      // After an error the others only end what they began.
      waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobsOf(options.jobs), sources.length) }, work))
  const left = sources.filter((_, i) => !done.has(i))
  return {
    done: sources.flatMap((_, i) => done.get(i) ?? []),
    refused,
    ...(fault && { fault, left }),
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
