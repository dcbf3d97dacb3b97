import { setImmediate } from 'node:timers/promises'
import { throwIfInterrupted } from './errors.ts'

/**
 * Lets timers, sockets and other work have their turn, among which a signal may abort: work that reads SQLite and writes files
 * never waits by itself. Throws `interrupted`.
 */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate()
  throwIfInterrupted(signal)
}
