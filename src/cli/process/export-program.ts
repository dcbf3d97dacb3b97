import { Readable, Writable } from 'node:stream'
import type { Io, Output } from '../command/io.ts'
import { targetOf } from '../options/export-options.ts'
import type { ExportSources } from './export-jobs.ts'
import { type ExportCommandOptions, exportUnits } from './with-export-source.ts'

/** Exports sources into a target that is opened once. A process takes half a second to start, so it is called several times. */
export const exportSources: ExportSources = ({ sources, options, env }, { signal, progress }) => {
  const given = options as ExportCommandOptions
  // The parent process says what happened.
  const stdin = Readable.from([]) as Io['stdin']
  const io: Io = { stdin, stdout: sink(), stderr: sink(), env, signal }
  return exportUnits(targetOf(given), given, { io }, async ({ add }) => {
    for (const source of sources) progress(await add([source]))
  })
}

const sink = (): Output =>
  new Writable({ write: (_piece, _encoding, done) => done() }) as unknown as Output
