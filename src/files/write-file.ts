import {
  closeSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import { partialOf, removeStale } from './partial-file.ts'

const writeTo = promisify(write)
const flush = promisify(fsync)

// What takes microseconds does not wait for another thread: of many small files, that would be most of the time.
const SMALL = 64 * 1024

export interface WriteOptions {
  /** Replace a file that is there. Default false. */
  force?: boolean | undefined
  /** Wait until the disk has it all, so that not even a power cut leaves half a file. Default true. */
  sync?: boolean | undefined
  /** Remove first what a killed process has left of the same file. Default true. */
  tidy?: boolean | undefined
  /** Who may read and write it. Default as of any new file. */
  mode?: number | undefined
}

/**
 * Writes a file beside its name, and gives it that name when it is whole; whatever goes wrong before, nothing
 * is left. A file that is there is replaced with `force` alone, and never written through, if it is a link. What is
 * neither file nor link, such as a device, stays in any case.
 * Throws `output-exists`, `output-full` or `output-refused`.
 */
export const writeFile = (path: string, bytes: Bytes, options?: WriteOptions): Promise<void> =>
  writeTogether([{ path, bytes }], options)

/**
 * Writes files one after the other as `writeFile` does, and gives them their names when all are whole: all of them
 * or, but for what was replaced with `force`, none.
 */
export async function writeTogether(
  files: Iterable<{ path: string; bytes: Bytes }>,
  options: WriteOptions = {},
): Promise<void> {
  const staged: StagedFile[] = []
  try {
    for (const { path, bytes } of files) staged.push(await stageFile(path, bytes, options))
    for (const file of staged) file.verify()
    for (const file of staged) file.publish()
  } catch (error) {
    for (const file of staged) file.withdraw()
    throw error
  }
}

/** A file that is whole, beside its name. */
interface StagedFile {
  /** Throws where it could not have its name, as far as that can be known. */
  verify(): void
  publish(): void
  /** Removes it, under its name as well, unless that was another file's before. */
  withdraw(): void
}

async function stageFile(
  path: string,
  bytes: Bytes,
  { force = false, sync = true, tidy = true, mode }: WriteOptions,
): Promise<StagedFile> {
  if (tidy) removeStale(path)
  const verify = () => (force ? refuseNoFile(path) : refuseExisting(path))
  verify()
  const partial = partialOf(path)
  const removePartial = () => rmSync(partial, { force: true })
  const file = attemptSync(path, () => openSync(partial, 'wx', mode))
  try {
    try {
      await fill(file, bytes, path)
      if (sync) await attempt(path, flush(file))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    removePartial()
    throw error
  }
  let isNew = false
  return {
    verify,
    publish() {
      publishFile(partial, path, { force })
      isNew = !force
    },
    withdraw() {
      if (isNew) rmSync(path, { force: true })
      removePartial()
    },
  }
}

/**
 * Gives a finished file its name. Without `force` another file of that name stays, even one that another program has
 * created meanwhile. Throws `output-exists`, `output-full` or `output-refused`.
 */
export function publishFile(partial: string, path: string, { force }: { force: boolean }): void {
  attemptSync(path, () => {
    try {
      // A link never replaces a file, a rename does.
      if (!force) linkSync(partial, path)
      else renameSync(partial, path)
    } catch (error) {
      if (force) throw error
      refuseExisting(path, error)
      renameSync(partial, path) // on a file system without links
    }
    // A rename leaves it if both names were those of one file.
    rmSync(partial, { force: true })
  })
}

/**
 * Gives a file one more name, as `writeFile` would write it. Throws the errors of the system for what links
 * cannot do, and `output-exists`.
 */
export function linkFile(from: string, path: string, { force = false } = {}): void {
  const partial = force ? partialOf(path) : path
  try {
    linkSync(from, partial)
  } catch (error) {
    if (!force) refuseExisting(path, error)
    throw error
  }
  if (!force) return
  try {
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true }) // which is left where both names were the same file's
  }
}

/** Throws `output-exists` if there is a file with this name. */
export function refuseExisting(path: string, cause?: unknown): void {
  if (!isThere(path)) return
  const message = 'there is a file with this name'
  throw new ArchiveError('output-exists', message, { archive: path }, cause)
}

// A name may lead to more than a file: who replaces /dev/null takes it away from every other program.
function refuseNoFile(path: string): void {
  const stats = attemptSync(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!stats || stats.isFile() || stats.isSymbolicLink()) return
  throw new ArchiveError('output-refused', 'what has this name is no file', { archive: path })
}

/** Whether something has this name, be it a link that leads nowhere. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // whoever writes it learns why
  }
}

/** What the system says of a file to be written, as an `ArchiveError`. */
export const attempt = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fromOutput(error, path)
  })

/** The same of what is done at once. */
export function attemptSync<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fromOutput(error, path)
  }
}

async function fill(file: number, bytes: Bytes, path: string): Promise<void> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      at +=
        chunk.length <= SMALL
          ? attemptSync(path, () => writeSync(file, chunk, at))
          : (await attempt(path, writeTo(file, chunk, at))).bytesWritten
    }
  }
}

function fromOutput(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof ArchiveError || code === undefined) return error
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
  return new ArchiveError(
    full ? 'output-full' : 'output-refused',
    message,
    { archive: path },
    error,
  )
}
