import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { openConnection } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { writeOwnFile } from '../../files/own-file.ts'
import { INDEX_APPLICATION_ID, INDEX_VERSION } from './index-schema.ts'
import { type MakeIndexOptions, makeIndex } from './make-index.ts'

export const INDEX_NAME = 'index.db'

/**
 * A database file as it looks from outside. That changes with every write. The file is not opened: closing it would
 * release the locks by which SQLite holds it here.
 */
export function stampOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  // Another program may have given it a write-ahead log; ours have none.
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })
  const written = log && log.size > 0n ? ` ${log.size} ${log.mtimeNs}` : ''
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}${written}`
}

/** A key of the sources and options of an index. An index with another key does not fit. */
export function keyOf(
  databases: readonly Database[],
  { allEvents }: { allEvents: boolean },
): string {
  const contents = databases.map((database) => {
    const archives = database
      .prepare<[], string | null>('SELECT sha256 FROM archives ORDER BY id')
      .pluck()
      .all()
    return [stampOf(database.name), archives]
  })
  return JSON.stringify([INDEX_VERSION, VERSION, allEvents, contents])
}

/**
 * Writes the index of databases into a folder, as `writeOwnFile` does.
 *
 * @param databases files that are open and in no transaction, the one that counts first first
 * @throws `database-busy` if a database changes meanwhile, `folder-foreign`, `output-refused`, `output-full`
 */
export function writeIndex(
  folder: string,
  databases: readonly Database[],
  options: MakeIndexOptions,
): void {
  const path = join(folder, INDEX_NAME)
  const key = keyOf(databases, options)
  writeOwnFile(path, (partial) => {
    makeIndex(partial, databases, key, options)
    if (keyOf(databases, options) !== key) throw changed(databases)
  })
}

const changed = (databases: readonly Database[]) =>
  new ArchiveError('database-busy', 'it changed while its index was made', {
    archive: databases.map(({ name }) => name).join(', '),
  })

/**
 * Opens the index of these databases, if a folder has it.
 *
 * @param options what the index must have been made with
 */
export function findIndex(
  folder: string,
  databases: readonly Database[],
  options: { allEvents: boolean },
): Database | undefined {
  const path = join(folder, INDEX_NAME)
  if (!existsSync(path)) return undefined
  const key = keyOf(databases, options)
  let index: Database | undefined
  try {
    index = openConnection(path, { readonly: true, fileMustExist: true })
    if (
      index.pragma('application_id', { simple: true }) === INDEX_APPLICATION_ID &&
      index.pragma('user_version', { simple: true }) === INDEX_VERSION &&
      index.prepare<[], string>('SELECT key FROM contents').pluck().get() === key
    ) {
      return index
    }
  } catch {
    // Whatever is wrong with it, it is written again.
  }
  index?.close()
  return undefined
}
