import type { Limits } from '../archive/limits.ts'
import { type ArchiveSource, openArchive } from '../archive/open-archive.ts'
import { openMissingContents } from '../database/contents/missing-contents.ts'
import type { Database } from '../database/open-database.ts'

/** What became of the contents that a first load of an archive has left out. */
export interface LoadedContents {
  /** Those that are there now. */
  files: { count: number; bytes: number }
  /** How many of those that are wanted are still not. */
  missing: number
}

/**
 * Loads contents that were left out of a loaded archive. A stream that has been read cannot be had again, so of one
 * they stay missing.
 */
export async function loadContents(
  source: ArchiveSource,
  sha256: string,
  database: Database,
  {
    isWanted,
    ...options
  }: {
    isWanted: (path: string) => boolean
    limits: Partial<Limits> | undefined
    signal: AbortSignal | undefined
  },
): Promise<LoadedContents> {
  const contents = openMissingContents(database, sha256)
  const files = { count: 0, bytes: 0 }
  const missing = contents.count(isWanted)
  if (missing === 0 || typeof source !== 'string') return { files, missing }
  const { entries } = await openArchive(source, options)
  for await (const { path, content } of entries) {
    if (!isWanted(path) || !contents.has(path)) continue
    const size = await contents.add(path, content)
    if (size === undefined) continue
    files.count++
    files.bytes += size
  }
  return { files, missing: contents.count(isWanted) }
}
