import { Readable, Writable } from 'node:stream'
import type { Io, Output } from '../command/io.ts'
import { targetOf } from '../options/export-options.ts'
import type { ExportSource } from './export-jobs.ts'
import { type ExportCommandOptions, exportUnit } from './with-export-source.ts'

/** Exports a source. A process takes half a second to start, longer than many exports take, so it exports several. */
export const exportSource: ExportSource = ({ source, options, env }, { signal }) => {
  const given = options as ExportCommandOptions
  // The parent process says what happened.
  const stdin = Readable.from([]) as Io['stdin']
  const io: Io = { stdin, stdout: sink(), stderr: sink(), env, signal }
  return exportUnit([source], targetOf(given), given, { io })
}

const sink = (): Output =>
  new Writable({ write: (_piece, _encoding, done) => done() }) as unknown as Output
