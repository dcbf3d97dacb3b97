import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import type { ArchiveEntry } from '../archive/entry.ts'
import { assertSize } from '../archive/tar/assert-size.ts'
import { ArchiveError, type Place } from '../base/errors.ts'

/** A file on disk, its path in the archive, and whether it may be a link. */
export interface DiskFile {
  path: string
  file: string
  modifiedAt: Date
  links: boolean
}

/**
 * Yields a file on disk as an entry and closes it afterwards. Its size is that of the open file. Throws `file-unreadable`
 * or `git-link`, and `content-size` if it changes while it is read.
 */
export async function* diskEntry({ path, file, modifiedAt, links }: DiskFile) {
  const place = { archive: file, entry: path }
  const handle = await openFile(file, links, place)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new ArchiveError('file-unreadable', 'this is not a file', place)
    const { size } = stats
    const content = assertSize(readAll(handle, place), size, place)
    yield { path, size, mode: 0o644, modifiedAt, content } satisfies ArchiveEntry
  } finally {
    await handle.close()
  }
}

async function openFile(file: string, links: boolean, place: Place): Promise<FileHandle> {
  if (!links && (await lstat(file).catch(refuseAt(place))).isSymbolicLink()) {
    throw new ArchiveError('git-link', 'this is a symbolic link', place)
  }
  // Do not wait for a writer if it is a pipe, and do not follow a link that has just been created.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW)
  return open(file, flags).catch(refuseAt(place))
}

/** Throws an error of the file system as an `ArchiveError`. */
export const refuseAt =
  (place: Place) =>
  (error: unknown): never => {
    const { message } = error as Error
    throw new ArchiveError('file-unreadable', message, place, error)
  }

async function* readAll(handle: FileHandle, place: Place): AsyncGenerator<Uint8Array> {
  try {
    yield* handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024, start: 0 })
  } catch (error) {
    refuseAt(place)(error)
  }
}
