import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  type ArchiveSource,
  type OpenedArchive,
  type OpenOptions,
  openArchive,
} from '../archive/open-archive.ts'
import { type ReadEntry, readAhead } from './read-ahead.ts'

/** Bytes of a file below which another thread takes longer to start than it saves. */
const LARGE = 8 * 2 ** 20

/** An archive being read. What an entry holds may be used until the next one is asked for, and no longer. */
export interface OpenedReading extends OpenedArchive {
  entries: AsyncGenerator<ReadEntry>
}

/**
 * Opens an archive like `openArchive`, and reads a large file in a thread of its own, ahead of whoever takes its entries;
 * with `runs` this also looks which files of records are plain.
 */
export async function openReading(
  source: ArchiveSource,
  { runs = false, ...options }: OpenOptions & { runs?: boolean },
): Promise<OpenedReading> {
  const { limits, hash = false, salvage = false } = options
  if (typeof source === 'string' && !salvage) {
    const stats = await stat(source).catch(() => undefined)
    if (stats?.isFile() && stats.size >= LARGE) {
      const read = readAhead({ path: source, limits, hash, runs }, options)
      return { ...read, name: basename(resolve(source)), size: stats.size }
    }
  }
  return openArchive(source, options)
}
