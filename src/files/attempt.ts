/** Every command loads this at its start, so it imports nothing that takes long. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ArchiveError, systemReason } from '../base/errors.ts'

/** Turns errors of the system about a file to be written into an `ArchiveError`. */
export const attempt = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fromOutput(error, path)
  })

/** The synchronous form of `attempt`. */
export function attemptSync<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fromOutput(error, path)
  }
}

/** Whether a write failed because a disk, a quota or a file has no more room. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')

function fromOutput(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof ArchiveError || code === undefined) return error
  const isLost = code === 'ENOENT' && !existsSync(dirname(path))
  const shown = isLost ? `there is no folder ${dirname(path)}` : systemReason(error)
  return new ArchiveError(
    isDiskFull(error) ? 'output-full' : 'output-refused',
    shown,
    { archive: path },
    error,
  )
}
