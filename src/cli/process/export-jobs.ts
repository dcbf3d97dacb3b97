import { type ChildProcess, fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { ArchiveError, type ErrorCode } from '../../errors.ts'
import type { ExportSummary } from '../../exporters/export-data.ts'
import type { Io } from '../command/io.ts'
import { AdvisedError, UsageError } from '../command/usage-error.ts'
import { printError } from '../print-error.ts'
import { nameSource } from '../sources/name-source.ts'
import { childOptions } from './end-with-parent.ts'

const { dirname, filename } = import.meta
const BINARY = join(dirname, '../..', `bin${extname(filename)}`)

/** A program that answers an `ExportRequest` with an `ExportReply`, one after the other: `export-program.ts`. */
const WORKER = [BINARY, '__export']

/** Milliseconds that a worker has to clean up after an interrupt. */
const GRACE = 2_000

/** The order to a worker: export this source with these options. */
export interface ExportRequest {
  source: string
  options: Options
}

export type ExportReply = { summary: ExportSummary } | { error: ReportedError } | { bug: string }

interface ReportedError {
  code: ErrorCode
  message: string
  place: ArchiveError['place']
  remedy: string
}

type Options = Readonly<Record<string, unknown>> & { jobs: string | undefined }

/** The result of exporting several sources. */
export interface ExportResult {
  done: ExportSummary[]
  refused: number
}

/** Prints why a source was not exported, while others go on. */
export function printRefused(
  error: ArchiveError,
  source: string | undefined,
  { json }: Readonly<Record<string, unknown>>,
  io: Io,
): void {
  const advised = nameSource(error.at({ archive: source }), { source }, { salvages: true })
  printError(advised, io, { json: json === true })
}

/** Parses a number of processes. Throws `UsageError`. */
export function jobsOf(typed: string | undefined): number {
  if (typed === undefined) return 1
  if (/^[1-9]\d{0,2}$/.test(typed)) return Number(typed)
  throw new UsageError(`--jobs takes a number, not ${JSON.stringify(typed)}`)
}

/**
 * Exports sources in several processes. Each process takes the next source when it is done with one. An export that fails,
 * or whose process crashes, is reported and counted; the others go on.
 *
 * @returns the partitions in the order of the sources
 */
export async function runJobs(
  sources: readonly string[],
  options: Options,
  io: Io,
  program: readonly string[] = WORKER,
): Promise<ExportResult> {
  const waiting = [...sources.entries()]
  const done = new Map<number, ExportSummary>()
  let refused = 0
  const work = async () => {
    let worker: Worker | undefined
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [i, source] = next
        if (!worker?.isAlive()) worker = startWorker(program, io)
        try {
          done.set(i, await worker.export({ source, options }))
        } catch (error) {
          io.signal?.throwIfAborted()
          if (!(error instanceof ArchiveError) || error.code === 'interrupted') throw error
          refused++
          printRefused(error, source, options, io)
        }
      }
    } finally {
      // After an error the others only end what they began.
      waiting.length = 0
      await worker?.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobsOf(options.jobs), sources.length) }, work))
  return { done: sources.flatMap((_, i) => done.get(i) ?? []), refused }
}

interface Worker {
  export(request: ExportRequest): Promise<ExportSummary>
  isAlive(): boolean
  /** Resolves when its process has ended. */
  close(): Promise<void>
}

function startWorker([file = '', ...words]: readonly string[], { env, signal }: Io): Worker {
  const child = fork(file, words, {
    ...{ env: { ...env }, execArgv: childOptions(), serialization: 'advanced' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let told = ''
  child.stderr?.on('data', (piece: Buffer) => {
    told = `${told}${piece}`.slice(-4000)
  })
  // A message to a process that has ended: its exit event says so.
  child.on('error', () => {})
  const stop = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE).unref()
  }
  signal?.addEventListener('abort', stop)
  return {
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    async export(request) {
      const reply = await ask(child, request, () => told)
      if ('summary' in reply) return reply.summary
      if ('bug' in reply) throw crashed(reply.bug)
      const { code, message, place, remedy } = reply.error
      throw new AdvisedError(new ArchiveError(code, message, place), remedy)
    },
    async close() {
      signal?.removeEventListener('abort', stop)
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** Throws `output-failed` if the process ends before it answers. */
const ask = (child: ChildProcess, request: ExportRequest, told: () => string) =>
  new Promise<ExportReply>((resolve, reject) => {
    const settle = (work: () => void) => {
      child.off('message', onMessage).off('close', onClose)
      work()
    }
    const onMessage = (reply: ExportReply) => settle(() => resolve(reply))
    const onClose = (code: number | null, by: string | null) => {
      const how = by ? `was ended by ${by}` : `ended with exit code ${code}`
      settle(() =>
        reject(crashed([`its process ${how}`, told().trim()].filter(Boolean).join(': '))),
      )
    }
    child.on('message', onMessage).on('close', onClose)
    child.send(request)
  })

const crashed = (message: string) =>
  new AdvisedError(
    new ArchiveError('output-failed', message),
    'The other archives are not affected. Export this one alone, without --jobs, and report what it prints.',
  )
