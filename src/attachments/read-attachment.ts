import { createHash } from 'node:crypto'
import { anOpenDatabase, aText, checkArguments } from '../check-arguments.ts'
import { readWholeFile } from '../database/contents/read-file.ts'
import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'

/** A file whose content is to be read: its id in the table `files`, its path and what its content must be. */
export interface StoredContent {
  id: number
  path: string
  size: number
  sha256: string
  stored: number
}

/**
 * The content of an upload, piece by piece, by its address on the host or its path in the archive; 1 MiB of it
 * is in memory. Throws `entry-not-found`, `content-missing` where it was loaded without contents, and
 * `database-damaged` at its end if it is not the content that was loaded.
 */
export function readAttachment(database: Database, named: string): Bytes {
  checkArguments({ database, named }, { database: anOpenDatabase, named: aText })
  const file = database
    .prepare<[string, string], StoredContent>(
      `SELECT f.id, f.path, f.size, f.sha256, f.stored FROM files AS f WHERE f.id = coalesce(
         (SELECT file FROM uploads WHERE url = ? AND file IS NOT NULL),
         (SELECT max(id) FROM files WHERE path = ?))`,
    )
    .get(named, named)
  if (!file) {
    const message = 'no upload of the archive has this address or path'
    throw new ArchiveError('entry-not-found', message, { entry: named })
  }
  return readStored(database, file)
}

/** The content of a file, held against its size and SHA-256. Throws `content-missing` or `database-damaged`. */
export async function* readStored(database: Database, file: StoredContent): AsyncGenerator<Buffer> {
  const place = { entry: file.path }
  if (!file.stored) {
    throw new ArchiveError('content-missing', 'the content of this file was not stored', place)
  }
  const digest = createHash('sha256')
  for (const piece of readWholeFile(database, file)) {
    digest.update(piece)
    yield piece
  }
  if (digest.digest('hex') === file.sha256) return
  const message = `expected the ${file.size} bytes that were loaded, found others`
  throw new ArchiveError('database-damaged', message, place)
}
