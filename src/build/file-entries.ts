import type { ArchiveEntry } from '../archive/entry.ts'
import { listFiles, type StoredFile } from '../database/list-files.ts'
import type { Database } from '../database/open-database.ts'
import { readWholeFile } from '../database/read-file.ts'
import { ArchiveError } from '../errors.ts'
import { asBytes } from '../streams.ts'

// What Git wants to see in a repository even if nothing is in it. Archives have entries for these, but no
// file tells of them.
const GIT_FOLDERS = ['objects/info/', 'objects/pack/', 'refs/heads/', 'refs/tags/']

const isGit = ({ role }: StoredFile): boolean => role === 'git' || role === 'lfs'

/**
 * Entries of the files in the database, in the order of their paths; each Git repository begins with the
 * directories without which it would be none. Throws `content-missing` or `database-damaged`.
 */
export function* fileEntries(
  database: Database,
  {
    chosen,
    part,
    dateOf,
  }: {
    chosen: boolean
    part: 'git' | 'metadata' | undefined
    dateOf: (stored: string) => Date
  },
): Generator<ArchiveEntry> {
  let folder = ''
  for (const file of listFiles(database, { chosen })) {
    if (part && isGit(file) !== (part === 'git')) continue
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
    const { path, size, mode } = file
    if (!file.stored && size > 0) {
      const message = 'the content of this file was not stored when it was loaded'
      throw new ArchiveError('content-missing', message, { entry: path })
    }
    yield { path, size, mode, modifiedAt, content: asBytes(readWholeFile(database, file)) }
  }
}
