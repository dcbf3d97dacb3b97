import { anOpenDatabase, checkArguments, is } from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { CHUNK_SIZE } from './store-chunks.ts'

const anId = is(
  'the id of a file',
  (id) => Number.isSafeInteger(id) || (typeof id === 'bigint' && BigInt.asIntN(64, id) === id),
)

/**
 * Reads the content of a file in chunks of up to 1 MiB. Yields nothing if the content is not stored. Stops at a chunk
 * larger than loading creates, which could fill the memory.
 *
 * @param database an open database
 * @param file `id` in the table `files`
 * @returns the chunks
 * @throws `database-damaged` or `option-invalid`
 * @example
 * for (const chunk of readFile(database, 1)) hash.update(chunk)
 */
export function* readFile(database: Database, file: number | bigint): Generator<Buffer> {
  checkArguments({ database, file }, { database: anOpenDatabase, file: anId })
  const next = prepareOnce<[number | bigint, number], Buffer>(
    database,
    `SELECT CAST(bytes AS BLOB) FROM file_chunks JOIN chunks ON chunks.id = file_chunks.chunk
     WHERE file = ? AND position = ? AND octet_length(bytes) <= ${CHUNK_SIZE}`,
  ).pluck()
  for (let position = 0; ; position++) {
    const bytes = next.get(file, position)
    if (bytes === undefined) return
    yield bytes
  }
}

/**
 * The same, with the size checked. Throws `database-damaged` as soon as the content exceeds it: in a crafted database,
 * a few chunks can repeat endlessly.
 */
export function* readWholeFile(
  database: Database,
  { id, path, size }: { id: number; path: string; size: number },
): Generator<Buffer> {
  let length = 0
  for (const chunk of readFile(database, id)) {
    length += chunk.length
    if (length > size) break
    yield chunk
  }
  if (length === size) return
  const message = `expected a file of ${size} bytes, found ${length}`
  throw new ArchiveError('database-damaged', message, { entry: path })
}
