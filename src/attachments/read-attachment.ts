import { createHash } from 'node:crypto'
import { anOpenDatabase, aText, checkArguments } from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import type { Bytes } from '../base/streams.ts'
import { readWholeFile } from '../database/contents/read-file.ts'
import type { Database } from '../database/open-database.ts'

/** A row of the table `files`. */
export interface StoredContent {
  id: number
  path: string
  size: number
  sha256: string
  stored: number
}

/**
 * Reads the content of an upload in chunks of up to 1 MiB.
 *
 * @param database the database that holds the upload
 * @param named the URL of the upload, or its path in the archive
 * @returns the content
 * @throws `entry-not-found`; `content-missing` if contents were not loaded; `database-damaged`, after the last chunk, if
 *   the content is not the one that was loaded; `option-invalid`
 * @example
 * const picture = readAttachment(database, 'attachments/5f1c7a52/picture.png')
 * await pipeline(picture, createWriteStream('picture.png'))
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
    const message = 'no upload in the archive has this URL or path'
    throw new ArchiveError('entry-not-found', message, { entry: named })
  }
  return readStored(database, file)
}

/** Reads a file and verifies its size and SHA-256. Throws `content-missing` or `database-damaged`. */
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
  const message = `the content differs from the ${file.size} bytes that were loaded`
  throw new ArchiveError('database-damaged', message, place)
}
