import { closeSync, constants, createReadStream, openSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { ArchiveError, orInterrupted, systemReason, throwIfInterrupted } from '../base/errors.ts'

/**
 * Bytes read at a time. V8 moves a buffer that it meets twice in use to its old objects, and releases these when 64 MiB of
 * buffers are among them. Pieces twice as large were in use that long while what they expand to was read.
 */
const PIECE = 256 * 1024

/**
 * The bytes of a file. Opens it when they are requested, and closes it when reading ends. Throws `archive-not-found` or
 * `archive-unreadable`.
 */
export async function* readFileStream(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  throwIfInterrupted(signal)
  let waking: NodeJS.Timeout | undefined
  const wake = () => {
    wakeReader(path)
    waking = setInterval(wakeReader, 50, path) // repeated, because the signal may precede the reader
  }
  signal?.addEventListener('abort', wake)
  try {
    yield* createReadStream(path, { highWaterMark: PIECE, ...(signal && { signal }) })
  } catch (error) {
    if (signal?.aborted) throw orInterrupted(error, signal)
    throw fromFileSystem(error, path)
  } finally {
    signal?.removeEventListener('abort', wake)
    clearInterval(waking)
  }
}

/** The first bytes of a file; none if it cannot be read. */
export async function headOfFile(path: string, size: number): Promise<Buffer> {
  const file = await open(path).catch(() => undefined)
  if (!file) return Buffer.alloc(0)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
    return buffer.subarray(0, bytesRead)
  } catch {
    return Buffer.alloc(0)
  } finally {
    await file.close()
  }
}

/**
 * Ends the wait for a pipe without a writer, by writing to it. There is no other way: the wait blocks a thread that Node.js
 * can neither stop nor leave behind.
 */
function wakeReader(path: string): void {
  try {
    if (!statSync(path).isFIFO()) return
    const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(pipe, '\0')
    closeSync(pipe)
  } catch {
    // No reader waits any more.
  }
}

/** The `ArchiveError` for an error of the file system. */
export function fromFileSystem(error: unknown, path: string): ArchiveError {
  const { code } = error as NodeJS.ErrnoException
  const place = { archive: path }
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? new ArchiveError('archive-not-found', 'there is no such file or folder', place, error)
    : new ArchiveError('archive-unreadable', systemReason(error), place, error)
}
