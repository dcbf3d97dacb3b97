import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  type ArchiveSource,
  type OpenedArchive,
  type OpenOptions,
  openArchive,
} from '../archive/open-archive.ts'
import { containerOf } from '../archive/read-archive.ts'
import { type ReadEntry, readInWorker } from './read-in-worker.ts'
import { requireArchive, watchLosses } from './require-archive.ts'
import { requireFolder } from './require-folder.ts'

/** For files below this many bytes, starting a thread takes longer than it saves. */
const LARGE = 8 * 2 ** 20

/** An archive being read. The content of an entry is valid until the next entry is requested. */
export interface OpenedReading extends OpenedArchive {
  entries: AsyncGenerator<ReadEntry>
}

/**
 * Opens an archive like `openArchive`, but reads a large file in a worker thread, ahead of the caller. After the last
 * entry, throws `archive-unrecognized` if none is part of a migration archive; of a folder, before the first. Throws
 * `archive-several` for more than one export.
 */
export async function openReading(
  source: ArchiveSource,
  input: OpenOptions,
): Promise<OpenedReading> {
  const { report, isCut } = watchLosses(input.report)
  const options = { ...input, report }
  const { limits, hash = false, headers = false, salvage = false } = options
  if (typeof source === 'string') {
    const stats = await stat(source).catch(() => undefined)
    if (stats?.isDirectory()) await requireFolder(source, options.signal)
    if (!salvage && stats?.isFile() && stats.size >= LARGE) {
      const read = readInWorker({ path: source, limits, hash, headers }, options)
      const entries = requireArchive(read.entries, isCut, read.form)
      const size = (await containerOf(source)) === 'zip' ? undefined : stats.size
      return { ...read, entries, name: basename(resolve(source)), size }
    }
  }
  const archive = await openArchive(source, options)
  return { ...archive, entries: requireArchive(archive.entries, isCut, archive.form) }
}
