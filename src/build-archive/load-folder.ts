import { openArchive } from '../archive/open-archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { ArchiveError, type Place } from '../errors.ts'
import { loadArchive } from '../load-archive/load-archive.ts'
import type { BuildOptions } from './build-options.ts'
import { loosenFolder } from './normalize-folder.ts'

/** Loads what lies in a folder, however loosely, into a new database. Places name files as they are called there. */
export async function loadFolder(
  folder: string,
  database: string,
  { files = true, report, signal }: Pick<BuildOptions, 'files' | 'report' | 'signal'>,
): Promise<void> {
  const { name, entries } = await openArchive(folder, { report, signal })
  const origins = new Map<string, string>()
  const original = (place: Place): Place => ({
    ...place,
    entry: origins.get(place.entry ?? '') ?? place.entry,
  })
  const tar = writeArchive(loosenFolder(entries, { report, origins }), { gzip: false, prefix: '' })
  try {
    await loadArchive({ name, bytes: tar }, database, {
      ...{ files, signal },
      report: (problem) => report?.({ ...problem, place: original(problem.place) }),
    })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const { message, place, cause } = error
    // In a folder to be built of, files have other names than in an archive.
    const code = error.code === 'archive-unrecognized' ? 'records-not-found' : error.code
    throw new ArchiveError(code, message, original(place), cause)
  }
}
