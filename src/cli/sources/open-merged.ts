import { join } from 'node:path'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import type { Io } from '../command/io.ts'
import { readingProgress, sourceOf } from '../options/reading-options.ts'

/** Loads several archives into one temporary database, which is removed with the command. Throws `UsageError` for a database. */
export async function openMerged(
  archives: readonly string[],
  files: boolean,
  io: Io,
  reading: Parameters<typeof readingProgress>[1] = {},
): Promise<Database> {
  const sources = await Promise.all(archives.map((archive) => sourceOf(archive, io)))
  const temporary = makeTemporaryFolder()
  io.atEnd?.(temporary.remove)
  const path = join(temporary.path, 'merged.db')
  const shown = readingProgress('reading', reading, io)
  try {
    const { loadArchive } = await import('../../load/load-archive.ts')
    await loadArchive(sources, path, {
      files,
      source: io.foreign,
      progress: shown.progress,
      ...(io.signal && { signal: io.signal }),
    })
  } finally {
    shown.finish()
  }
  return openDatabase(path)
}
