import { createHash } from 'node:crypto'
import {
  closeSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { ArchiveError } from '../base/errors.ts'
import type { Bytes } from '../base/streams.ts'
import { attempt, attemptSync } from './attempt.ts'
import { partialOf, removeStale } from './partial-file.ts'

const writeTo = promisify(write)
const flush = promisify(fsync)

// Operations of microseconds are synchronous: with many small files, waiting for a thread would take most of the time.
const SMALL = 64 * 1024

export interface WriteOptions {
  /** Overwrite an existing file. Default false. */
  force?: boolean | undefined
  /** Wait until the disk has all of it, so that not even a power cut leaves half a file. Default true. */
  sync?: boolean | undefined
  /** First remove partial files that a killed process left. Default true. */
  tidy?: boolean | undefined
  /** The permissions. Default: those of any new file. */
  mode?: number | undefined
  /** Is asked when all is written: whether a file with these bytes is there, which then stays as it is. */
  isSame?: (() => boolean) | undefined
}

/**
 * Writes a file under a temporary name and renames it when it is complete; after an error nothing is left. Overwrites an
 * existing file only with `force`, and never writes through a link. Never replaces anything but files and links, such as
 * a device. Throws `output-exists`, `output-full` or `output-refused`.
 */
export const writeFile = (path: string, bytes: Bytes, options?: WriteOptions): Promise<void> =>
  writeTogether([{ path, bytes }], options)

/**
 * Writes files as `writeFile` does, and renames them when all are complete. After an error none of them is left, except
 * those that replaced others with `force`.
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

/**
 * Writes a short file as `writeFile` does with `force` and without `sync` and `tidy`, but at once: of many files, waiting would
 * take most of the time. Throws `output-full` or `output-refused`.
 */
export function writeShortFile(path: string, bytes: Uint8Array): void {
  const partial = partialOf(path)
  const file = attemptSync(path, () => openSync(partial, 'wx'))
  try {
    try {
      attemptSync(path, () => writeFileSync(file, bytes))
    } finally {
      closeSync(file)
    }
    refuseNoFile(path)
    publishFile(partial, path, { force: true })
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** A complete file under its temporary name. */
interface StagedFile {
  /** Throws if it cannot be renamed, as far as that is known. */
  verify(): void
  publish(): void
  /** Removes it, also under its final name unless that replaced another file. */
  withdraw(): void
}

async function stageFile(
  path: string,
  bytes: Bytes,
  { force = false, sync = true, tidy = true, mode, isSame }: WriteOptions,
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
      if (isSame?.()) return removePartial()
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
 * Gives a complete file its name. Without `force` an existing file stays, even if another program has just created it.
 * Throws `output-exists`, `output-full` or `output-refused`.
 */
export function publishFile(partial: string, path: string, { force }: { force: boolean }): void {
  attemptSync(path, () => {
    if (force) return renameSync(partial, path)
    try {
      // Unlike a rename, a link never replaces a file.
      linkSync(partial, path)
    } catch (error) {
      refuseExisting(path, error)
      renameSync(partial, path) // on a file system without links
    }
    rmSync(partial, { force: true })
  })
}

/**
 * Gives a file another name, under the rules of `writeFile`. Throws `output-exists`, and the errors of the system if links
 * are impossible.
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
    rmSync(partial, { force: true }) // remains if both names are links to one file
  }
}

/** Throws `output-exists` if there is a file with this name. */
export function refuseExisting(path: string, cause?: unknown): void {
  if (!isThere(path)) return
  const message = 'there is a file with this name'
  throw new ArchiveError('output-exists', message, { archive: path }, cause)
}

// Replacing /dev/null would take it away from every other program.
function refuseNoFile(path: string): void {
  const stats = attemptSync(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!stats || stats.isFile() || stats.isSymbolicLink()) return
  throw new ArchiveError('output-refused', 'this is not a file', { archive: path })
}

/** Whether anything has this name, even a dangling link. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // writing it will give the reason
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

/** The number of written bytes, and their SHA-256 in hex. */
export interface Written {
  bytes: number
  sha256: string
}

/** The same bytes, and the sum of those read so far. */
export function withSha256(bytes: Bytes): { bytes: Bytes; sum: () => Written } {
  const digest = createHash('sha256')
  let length = 0
  const pass = async function* () {
    for await (const chunk of bytes) {
      digest.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  return { bytes: pass(), sum: () => ({ bytes: length, sha256: digest.copy().digest('hex') }) }
}
