import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { gitPath } from './git-path.ts'

/**
 * Throws `git-unsupported` if a repository keeps its refs or names its objects in a way that is not read,
 * `content-missing` if its objects were not stored.
 */
export function checkStored(database: Database, repository: string): void {
  const place = { entry: gitPath(repository) }
  const has = (select: string, ...values: string[]) =>
    database.prepare(`${select} LIMIT 1`).get(...values) !== undefined
  if (has('SELECT 1 FROM files WHERE path = ?', gitPath(repository, 'reftable/tables.list'))) {
    throw new ArchiveError('git-unsupported', 'its refs are in a reftable', place)
  }
  if (has('SELECT 1 FROM refs WHERE repository = ? AND length(oid) = 64', repository)) {
    throw new ArchiveError('git-unsupported', 'its ids are no SHA-1', place)
  }
  const objects = gitPath(repository, 'objects/')
  if (
    has('SELECT 1 FROM files WHERE path GLOB ? AND size > 0 AND NOT stored', `${globOf(objects)}*`)
  ) {
    const message = 'the objects of this repository were not stored when it was loaded'
    throw new ArchiveError('content-missing', message, place)
  }
}

const globOf = (text: string) => text.replace(/[*?[]/g, '[$&]')
