import type { ArchiveSource } from '../archive/open-archive.ts'
import type { Limits } from '../base/limits.ts'
import { createMissingContents } from '../database/contents/missing-contents.ts'
import type { Database } from '../database/open-database.ts'
import { openSource } from '../sources/open-source.ts'
import type { SourceOptions } from '../sources/source-options.ts'

/** The result of loading contents that the first load skipped. */
export interface LoadedContents {
  /** Contents loaded now. */
  files: { count: number; bytes: number }
  /** Number of requested contents that are still missing. */
  missing: number
}

/**
 * Loads contents that the first load of an archive skipped. A stream cannot be read again, so its contents stay missing.
 */
export async function loadContents(
  source: ArchiveSource,
  sha256: string,
  database: Database,
  {
    isWanted,
    source: sourceOptions,
    ...options
  }: {
    isWanted: (path: string) => boolean
    limits: Partial<Limits> | undefined
    signal: AbortSignal | undefined
    source: SourceOptions | undefined
  },
): Promise<LoadedContents> {
  const contents = createMissingContents(database, sha256)
  const files = { count: 0, bytes: 0 }
  const missing = contents.count(isWanted)
  if (missing === 0 || typeof source !== 'string') return { files, missing }
  const { entries } = await openSource(source, options, sourceOptions)
  for await (const { path, content } of entries) {
    if (!isWanted(path) || !contents.has(path)) continue
    const size = await contents.add(path, content)
    if (size === undefined) continue
    files.count++
    files.bytes += size
  }
  return { files, missing: contents.count(isWanted) }
}
