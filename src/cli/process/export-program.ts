import { Readable, Writable } from 'node:stream'
import { ArchiveError } from '../../errors.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io, Output } from '../command/io.ts'
import { targetOf } from '../options/export-options.ts'
import { remedyFor } from '../remedies.ts'
import { type ExportCommandOptions, exportUnit } from '../sources/with-export-source.ts'
import type { ExportReply, ExportRequest } from './export-jobs.ts'

/**
 * Exports one source after the other, as the parent process asks for them, until it has no more. A process takes half a
 * second to start, longer than many exports take.
 */
export function serveExports(io: Io): Promise<ExitCode> {
  const { signal } = io
  const own: Io = { ...io, stdin: asInput(Readable.from([])), stdout: sink(), stderr: sink() }
  io.keepYoungSpace?.()
  return new Promise((resolve) => {
    let isBusy = false
    process.on('message', async (request: ExportRequest) => {
      isBusy = true
      process.send?.(await answer(request, own))
      isBusy = false
      if (signal?.aborted) resolve(130)
    })
    process.on('disconnect', () => resolve(0))
    signal?.addEventListener('abort', () => !isBusy && resolve(130))
  })
}

async function answer({ source, options }: ExportRequest, io: Io): Promise<ExportReply> {
  try {
    const given = options as ExportCommandOptions
    return { summary: await exportUnit([source], targetOf(given, io.env), given, { io }) }
  } catch (error) {
    if (!(error instanceof ArchiveError)) {
      return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
    const { code, message, place } = error
    return { error: { code, message, place, remedy: remedyFor(error) } }
  }
}

/** The parent process says what happened. */
const sink = (): Output =>
  new Writable({ write: (_piece, _encoding, done) => done() }) as unknown as Output

const asInput = (stream: Readable) => stream as Io['stdin']
