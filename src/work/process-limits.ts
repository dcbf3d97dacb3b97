import { readFileSync } from 'node:fs'
import { ArchiveError } from '../base/errors.ts'

/** The most that a process may take. */
export interface ProcessLimits {
  readonly seconds?: number | undefined
  /** Bytes of memory in use; measured only on Linux. */
  readonly bytes?: number | undefined
}

/** A process that can be killed. */
export interface LimitedProcess {
  readonly pid?: number | undefined
  kill(): void
}

/** How often the memory of a process is measured, in milliseconds. */
const INTERVAL = 20

/**
 * Kills a process at a limit, and says why: SQLite can be stopped only with the process in which it runs.
 *
 * @param label what the process does, for the message about memory
 * @param onKill called with `query-timeout` or `limit-memory`
 * @returns ends the watch
 */
export function limitProcess(
  limited: LimitedProcess,
  { seconds, bytes = Number.POSITIVE_INFINITY }: ProcessLimits,
  label: string,
  onKill: (error: ArchiveError) => void,
): () => void {
  const kill = (error: ArchiveError) => {
    end()
    onKill(error)
    limited.kill()
  }
  const tooLate = () => kill(new ArchiveError('query-timeout', `not finished after ${seconds} s`))
  const clock = seconds === undefined ? undefined : setTimeout(tooLate, seconds * 1000)
  const measure = () => {
    if (residentBytes(limited.pid) <= bytes) return
    const message = `${label} needs more than ${bytes} bytes`
    kill(new ArchiveError('limit-memory', message).over({ allowed: bytes }))
  }
  const watch = bytes === Number.POSITIVE_INFINITY ? undefined : setInterval(measure, INTERVAL)
  const end = () => {
    clearTimeout(clock)
    clearInterval(watch)
  }
  return end
}

/** Bytes of memory that a process uses; 0 if unknown. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
