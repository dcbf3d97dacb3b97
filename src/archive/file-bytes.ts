import { createReadStream } from 'node:fs'
import { ArchiveError } from '../errors.ts'

/**
 * The bytes of a file, which is opened when they are asked for, and closed when no more are.
 * Throws `archive-not-found` or `archive-unreadable`.
 */
export async function* fileBytes(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    // The signal also ends the wait for a pipe that nobody writes to.
    yield* createReadStream(path, { highWaterMark: 256 * 1024, ...(signal && { signal }) })
  } catch (error) {
    if (signal?.aborted) throw error
    throw fromFileSystem(error, path)
  }
}

/** To be thrown in place of what the file system threw. */
export function fromFileSystem(error: unknown, path: string): ArchiveError {
  const { code, message } = error as NodeJS.ErrnoException
  const place = { archive: path }
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? new ArchiveError('archive-not-found', 'there is no such file or folder', place, error)
    : new ArchiveError('archive-unreadable', message, place, error)
}
