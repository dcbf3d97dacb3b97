import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ArchiveError } from '../errors.ts'

/** The most that a child process may take. */
export interface ProcessLimits {
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
}

/** Watches over a child process until it is ended. */
export interface ProcessWatch {
  /** Throws `query-timeout` or `limit-memory` if the process was killed because of a limit. */
  throwIfKilled(): void
  /** Ends the watch. */
  end(): void
}

/** How often the memory of a process is measured, in milliseconds. */
const INTERVAL = 20

/**
 * Kills a process at a limit: SQLite can be stopped only with the process in which it runs.
 *
 * @param what what the process does, for the message about memory
 */
export function limitChild(
  child: ChildProcess,
  { seconds, bytes = Number.POSITIVE_INFINITY }: ProcessLimits,
  what = 'the statement',
): ProcessWatch {
  let fault: ArchiveError | undefined
  const kill = (error: ArchiveError) => {
    fault ??= error
    child.kill('SIGKILL')
  }
  const tooLate = () =>
    kill(new ArchiveError('query-timeout', `not finished after ${seconds} seconds`))
  const clock = seconds === undefined ? undefined : setTimeout(tooLate, seconds * 1000)
  const measure = () => {
    if (residentBytes(child.pid) <= bytes) return
    const message = `${what} needs more than ${bytes} bytes`
    kill(new ArchiveError('limit-memory', message).over({ allowed: bytes }))
  }
  const watch = bytes === Number.POSITIVE_INFINITY ? undefined : setInterval(measure, INTERVAL)
  return {
    throwIfKilled() {
      if (fault) throw fault
    },
    end() {
      clearTimeout(clock)
      clearInterval(watch)
    },
  }
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
