import type { ArchiveEntry } from '../archive/entry.ts'
import { ArchiveError } from '../base/errors.ts'
import { asBytes } from '../base/streams.ts'
import { usableMode } from '../database/archive-layout.ts'
import { listFiles, type StoredFile } from '../database/contents/list-files.ts'
import { readWholeFile } from '../database/contents/read-file.ts'
import type { Database } from '../database/open-database.ts'

// Git requires these directories even if they are empty. Archives have entries for them, but the table files does not.
const GIT_FOLDERS = ['objects/info/', 'objects/pack/', 'refs/heads/', 'refs/tags/']

const isGit = ({ role }: StoredFile): boolean => role === 'git' || role === 'lfs'

/** Which files to write, and their times. */
export interface FileSelection {
  /** Only those in the temporary table `chosen_files`. */
  chosen: boolean
  part: 'git' | 'metadata' | undefined
  dateOf: (stored: string) => Date
  /** Only those that this archive did not have. */
  newTo?: number | undefined
}

/**
 * The entries of files, by path. Each Git repository starts with the directories that Git requires. Throws
 * `content-missing` or `database-damaged`.
 */
export function* fileEntries(
  database: Database,
  { chosen, part, dateOf, newTo }: FileSelection,
): Generator<ArchiveEntry> {
  let folder = ''
  for (const file of listFiles(database, { chosen, newTo })) {
    if (!isOfPart(file, part)) continue
    const modifiedAt = dateOf(file.modifiedAt)
    if (file.role === 'git' && file.repository !== null) {
      const repository = `repositories/${file.repository}.git/`
      if (file.path.startsWith(repository) && repository !== folder) {
        folder = repository
        for (const name of GIT_FOLDERS) {
          yield { path: folder + name, size: 0, modifiedAt, mode: 0o755, content: asBytes([]) }
        }
      }
    }
    yield fileEntry(database, file, modifiedAt)
  }
}

/** Whether a file belongs into one of a pair of archives. */
export const isOfPart = (file: StoredFile, part: FileSelection['part']): boolean =>
  part === undefined || isGit(file) === (part === 'git')

/** The entry of a file, with its own permissions. Throws `content-missing`. */
export function fileEntry(database: Database, file: StoredFile, modifiedAt: Date): ArchiveEntry {
  const { path, size } = file
  if (!file.stored && size > 0) {
    const message = 'the content of this file was not stored when it was loaded'
    throw new ArchiveError('content-missing', message, { entry: path })
  }
  const mode = usableMode(file.mode) & 0o777 || 0o644
  return {
    path,
    size,
    mode,
    modifiedAt,
    header: {},
    content: asBytes(readWholeFile(database, file)),
  }
}
