import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { BEST_RATIO } from '../objects/inflate.ts'
import { readPackEntries } from '../objects/read-pack-entries.ts'
import { readPackEntry } from '../objects/read-pack-entry.ts'
import { type FileRow, openStoredFiles, type StoredFile } from '../objects/stored-file.ts'

export interface LargeObject {
  /** The file it is in. */
  entry: string
  oid: string
  /** Bytes; as it is packed, where the pack was not stored. */
  size: number
}

/**
 * The objects of all repositories with more than `least` bytes, as far as indexes and packs tell without being
 * unpacked: of one that is stored as a difference nothing is known.
 */
export function* largestObjects(database: Database, least: number): Generator<LargeObject> {
  const loose = database.prepare<[number], FileRow>(
    `SELECT id, path, size, stored FROM files
     WHERE size > ? AND repository IS NOT NULL AND path GLOB '*.git/objects/??/*'`,
  )
  for (const { path, size } of loose.all(least)) {
    yield { entry: path, oid: path.slice(-41).replace('/', ''), size }
  }
  const packs = database.prepare<[number], FileRow>(
    `SELECT id, path, size, stored FROM files
     WHERE size > ? AND repository IS NOT NULL AND path GLOB '*.git/objects/pack/*.pack'`,
  )
  const indexOf = database.prepare<[string], FileRow>(
    'SELECT id, path, size, stored FROM files WHERE path = ? AND stored ORDER BY id DESC LIMIT 1',
  )
  const openFile = openStoredFiles(database)
  for (const pack of packs.all(Math.floor(least / BEST_RATIO))) {
    const index = indexOf.get(pack.path.replace(/pack$/, 'idx'))
    if (index) yield* largestIn(pack, openFile(pack), openFile(index), least)
  }
}

function* largestIn(
  { path, size, stored }: FileRow,
  pack: StoredFile,
  index: StoredFile,
  least: number,
): Generator<LargeObject> {
  const entries = readPackEntries(index)
  if (typeof entries === 'string') return
  const { count, order, offsets } = entries
  for (let rank = 0; rank < count; rank++) {
    const place = order[rank] as number
    const start = offsets[place] as number
    const end = rank + 1 < count ? (offsets[order[rank + 1] as number] as number) : size - 20
    if (end - start <= least / BEST_RATIO) continue
    const found = stored ? sizeAt(pack, start) : end - start
    if (found > least) yield { entry: path, oid: entries.oidAt(place), size: found }
  }
}

/** Bytes of an object that is stored whole; 0 for a difference, and where no object begins. */
function sizeAt(pack: StoredFile, start: number): number {
  try {
    const { type, size } = readPackEntry(pack, start)
    return type === undefined ? 0 : size
  } catch (error) {
    if (error instanceof ArchiveError) return 0
    throw error
  }
}
