import { throwIfInterrupted } from '../../base/errors.ts'
import { removeStale } from '../../files/partial-file.ts'
import { call } from '../../work/call.ts'
import { indexPath } from './index-file.ts'
import type { IndexOrder, IndexStep, indexDatabases } from './index-program.ts'
import type { MakeIndexOptions } from './make-index.ts'

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
  try {
    await call<typeof indexDatabases>('index', order, {
      in: 'process',
      signal,
      progress: ({ step, part }: IndexStep) => progress?.(step, part),
    })
  } catch (error) {
    removeStale(indexPath(order.folder, order.paths, order))
    throw error
  }
  // The process was faster than the signal: then a whole index is there for the next time.
  throwIfInterrupted(signal)
}
