import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../../../database/connection.ts'
import type { Database } from '../../../database/database.ts'
import { openDatabase } from '../../../database/open-database.ts'
import { ArchiveError } from '../../../errors.ts'
import { partialOf, removeStale } from '../../../files/partial-file.ts'
import { publishFile } from '../../../files/write-file.ts'
import { VERSION } from '../../../version.ts'
import { INDEX_APPLICATION_ID, INDEX_VERSION } from './index-schema.ts'
import { type MakeIndexOptions, makeIndex } from './make-index.ts'

const NAME = 'index.db'

/** What a database file looks like from outside. It changes with every write. */
export function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path)
  return `${ino} ${size} ${mtimeMs} ${changeCounter(path)}`
}

/** A number in the header of a database that SQLite raises with every write. */
function changeCounter(path: string): number {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(4)
    readSync(file, bytes, 0, 4, 24)
    return bytes.readUInt32BE()
  } finally {
    closeSync(file)
  }
}

/** What an index is made of: another key, another index. */
export function keyOf(paths: readonly string[], { allEvents }: { allEvents: boolean }): string {
  const contents = paths.map((path) => {
    const { size, mtimeMs } = statSync(path)
    const database = openDatabase(path)
    try {
      const archives = database
        .prepare<[], string | null>('SELECT sha256 FROM archives ORDER BY id')
        .pluck()
        .all()
      return [size, mtimeMs, changeCounter(path), archives]
    } finally {
      database.close()
    }
  })
  return JSON.stringify([INDEX_VERSION, VERSION, allEvents, contents])
}

/**
 * Opens the index in a folder if it fits, else makes it anew: beside its name, which it gets when it is complete.
 *
 * @param paths databases that have been opened before, the one that counts first first
 * @throws `database-busy` if a database changes meanwhile, `output-refused`, `output-full`
 */
export function openIndex(
  folder: string,
  paths: readonly string[],
  options: MakeIndexOptions,
): Database {
  const path = join(folder, NAME)
  const key = keyOf(paths, options)
  const known = openFitting(path, key)
  if (known) return known
  const partial = partialOf(path)
  refuseUnwritable(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    removeStale(path)
    // SQLite would create a file that others may read.
    closeSync(openSync(partial, 'wx', 0o600))
  })
  try {
    makeIndex(partial, paths, key, options)
    const file = openSync(partial, 'r+')
    fsyncSync(file)
    closeSync(file)
    publishFile(partial, path, { force: true })
  } finally {
    rmSync(partial, { force: true })
  }
  const made = keyOf(paths, options) === key ? openFitting(path, key) : undefined
  if (made) return made
  const message = 'it changed while its index was made'
  throw new ArchiveError('database-busy', message, { archive: paths.join(', ') })
}

/** Throws `output-full` or `output-refused` where nothing can be written. */
function refuseUnwritable(folder: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const refused = code === 'ENOSPC' ? 'output-full' : 'output-refused'
    throw new ArchiveError(refused, message, { archive: folder }, error)
  }
}

/** Opens the index of these contents, if a folder has it. */
export const findIndex = (
  folder: string,
  paths: readonly string[],
  options: MakeIndexOptions,
): Database | undefined => openFitting(join(folder, NAME), keyOf(paths, options))

function openFitting(path: string, key: string): Database | undefined {
  if (!existsSync(path)) return undefined
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
    // Whatever is wrong with it, it is made anew.
  }
  index?.close()
  return undefined
}
