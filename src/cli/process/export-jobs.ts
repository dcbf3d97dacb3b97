import { Writable } from 'node:stream'
import { ArchiveError, type ErrorCode } from '../../errors.ts'
import type { ExportSummary } from '../../exporters/export-data.ts'
import type { Io, Output } from '../command/io.ts'
import { AdvisedError, UsageError } from '../command/usage-error.ts'
import { printError } from '../print-error.ts'
import { runInTime } from './run-in-time.ts'

/** The result of exporting several sources. */
export interface ExportResult {
  done: ExportSummary[]
  refused: number
}

/** Parses a number of processes. Throws `UsageError`. */
export function jobsOf(typed: string | undefined): number {
  if (typed === undefined) return 1
  if (/^[1-9]\d{0,2}$/.test(typed)) return Number(typed)
  throw new UsageError(`--jobs takes a number, not ${JSON.stringify(typed)}`)
}

type Options = Readonly<Record<string, unknown>> & { jobs: string | undefined }

/**
 * Exports each source in a process of its own, several at once. Partitions do not know each other, so neither do the
 * processes: one that fails is reported and counted, and the others go on.
 *
 * @returns the partitions in the order of the sources
 */
export async function runJobs(
  sources: readonly string[],
  options: Options,
  io: Io,
): Promise<ExportResult> {
  const waiting = [...sources.entries()]
  const done = new Map<number, ExportSummary>()
  let refused = 0
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, source] = next
      try {
        done.set(i, await exportInProcess(source, options, io))
      } catch (error) {
        io.signal?.throwIfAborted()
        if (!(error instanceof ArchiveError)) throw error
        refused++
        printError(error.at({ archive: source }), io, { json: options.json === true })
      }
    }
  }
  await Promise.all(Array.from({ length: jobsOf(options.jobs) }, work))
  return { done: sources.flatMap((_, i) => done.get(i) ?? []), refused }
}

async function exportInProcess(source: string, options: Options, io: Io): Promise<ExportSummary> {
  const [stdout, stderr] = [collector(), collector()]
  const argv = ['export', ...argumentsOf(options), '--json', '--quiet', '--', source]
  const streams = { stdout: stdout.stream, stderr: stderr.stream }
  await runInTime(argv, { input: '' }, { ...io, ...streams })
  const [summary] = (parse(stdout.text()) as { partitions?: ExportSummary[] })?.partitions ?? []
  if (summary) return summary
  const { error } = (parse(stderr.text()) ?? {}) as { error?: ReportedError }
  if (!error) throw new ArchiveError('output-failed', stderr.text().trim() || 'the process ended')
  const { code, message, place, remedy } = error
  throw new AdvisedError(new ArchiveError(code, message, place), remedy)
}

interface ReportedError {
  code: ErrorCode
  message: string
  place: ArchiveError['place']
  remedy: string | undefined
}

/** The options of a process for one source, as words. */
function argumentsOf({ jobs, json, quiet, ...options }: Options): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
    return [value].flat().map((one) => `--${name}=${one}`)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function collector(): { stream: Output; text: () => string } {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  return { stream: stream as unknown as Output, text: () => Buffer.concat(pieces).toString() }
}
