import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { ArchiveError, throwIfInterrupted } from '../../../errors.ts'
import { removeStale } from '../../../files/partial-file.ts'
import { INDEX_NAME } from './index-file.ts'
import type { IndexOrder, IndexReport } from './index-program.ts'
import type { MakeIndexOptions } from './make-index.ts'

const { dirname, filename } = import.meta
const PROGRAM = join(dirname, `index-program${extname(filename)}`)

/**
 * Writes an index in a process of its own: SQLite cannot be interrupted within a process, and a signal must stop it.
 *
 * @param progress called with what is being indexed, and the part that is done, from 0 to 1
 * @throws as `writeIndex` does, and `interrupted`
 */
export async function runIndexProgram(
  order: IndexOrder,
  { progress, signal }: Pick<MakeIndexOptions, 'progress'> & { signal: AbortSignal | undefined },
): Promise<void> {
  throwIfInterrupted(signal)
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop)
  let outcome: IndexReport | undefined
  child.on('message', (report: IndexReport) => {
    if ('step' in report) progress?.(report.step, report.part)
    else outcome = report
  })
  try {
    const ended = new Promise<void>((resolve, reject) => {
      child.on('error', reject).on('exit', () => resolve())
    })
    // If the child has ended already, its exit event says so.
    child.send(order, () => {})
    await ended
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  const isDone = outcome && 'done' in outcome
  if (!isDone) removeStale(join(order.folder, INDEX_NAME))
  // Even if the process was faster than the signal: then a whole index is there for the next time.
  throwIfInterrupted(signal)
  if (isDone) return
  if (outcome && 'message' in outcome) throw asError(outcome)
  throw new Error('the process that makes the index has ended')
}

const asError = ({ message, code, place }: Extract<IndexReport, { message: string }>): Error =>
  code === undefined ? new Error(message) : new ArchiveError(code, message, place)
