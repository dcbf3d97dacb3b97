import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { updateSearchIndex } from '../../search/update-search-index.ts'
import type { Io } from '../command/io.ts'
import { showProgress } from '../output/progress.ts'
import { openSource } from './open-readable.ts'

interface Searching {
  quiet: boolean | undefined
  /** Checks the database before the index is created, which may take long. */
  check?: ((database: Database) => Promise<void>) | undefined
  /** The command writes files or starts processes, so an interrupt must let it clean up. */
  writes?: boolean
}

/** Opens a source, and brings its index for full-text search up to date. */
export async function openSearchable(
  named: string,
  io: Io,
  { quiet, check, writes = false }: Searching,
): Promise<Database> {
  const database = await openSource(named, io, { quiet })
  let shown: ReturnType<typeof showProgress> | undefined
  try {
    await check?.(database)
    await updateSearchIndex(database, {
      signal: io.signal,
      progress({ characters, total }) {
        const mode = quiet ? ('none' as const) : undefined
        shown ??= showProgress(io.stderr, { label: `indexing ${named}`, total, mode })
        shown.update(characters)
      },
    })
  } catch (error) {
    database.close()
    if (!(error instanceof ArchiveError && error.code === 'database-read-only')) throw error
    const message = 'a search needs an index, but this database is read-only'
    throw new ArchiveError(error.code, message, error.place, error)
  } finally {
    shown?.finish()
  }
  if (!writes) await io.mayEndAtOnce?.()
  return database
}
