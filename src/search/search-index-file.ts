import { existsSync } from 'node:fs'
import { openConnection } from '../database/connection.ts'
import { openDatabase } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { hasRelation } from '../database/schema/schema.ts'
import { SEARCH_INDEX, TEXT_SOURCES } from '../database/schema/search-tables.ts'
import { charactersOf, createTexts, indexRows } from './update-search-index.ts'

/** Says in the header of SQLite that a file is such an index: `MArI`. */
const APPLICATION_ID = 0x4d417249

/**
 * Makes the index of a database in a file of its own, for a database that may not be written. `searchDatabase` takes its path.
 *
 * @param path a file that does not exist yet, or is empty
 * @param source the path of the database
 * @param key identifies the contents of the database; `isSearchIndex` compares it
 * @param progress called with the numbers of characters that are indexed, and of all
 */
export function writeSearchIndex(
  path: string,
  source: string,
  key: string,
  progress: (done: number, total: number) => void = () => {},
): void {
  const database = openDatabase(source)
  const index = openConnection(path, { name: path })
  // The database does not change during this.
  const snapshot = openSnapshot(database)
  try {
    // A failure leaves a file that is never read.
    index.pragma('journal_mode = OFF')
    index.pragma('synchronous = OFF')
    index.pragma('main.locking_mode = EXCLUSIVE')
    index.prepare('ATTACH ? AS source').run(source)
    const texts = createTexts(index)
    // Tables that are not in the index are found in the database.
    const sources = [...TEXT_SOURCES.entries()].flatMap(([id, { table }]) =>
      hasRelation(database, table) ? [id] : [],
    )
    const total = sources.reduce((sum, id) => sum + charactersOf(index, id), 0)
    index.exec('BEGIN')
    index.exec(SEARCH_INDEX)
    index.exec('CREATE TABLE contents (key TEXT NOT NULL)')
    index.prepare('INSERT INTO contents VALUES (?)').run(key)
    for (const id of sources) {
      for (const _ of indexRows(index, id)) progress(texts.characters(), total)
    }
    index.pragma(`application_id = ${APPLICATION_ID}`)
    index.exec('COMMIT')
  } finally {
    snapshot.close()
    index.close()
    database.close()
  }
}

/** Whether a file is the index with this key. Any other file must be replaced. */
export function isSearchIndex(path: string, key: string): boolean {
  if (!existsSync(path)) return false
  try {
    const index = openConnection(path, { readonly: true, fileMustExist: true })
    try {
      return (
        index.pragma('application_id', { simple: true }) === APPLICATION_ID &&
        index.prepare<[], string>('SELECT key FROM contents').pluck().get() === key
      )
    } finally {
      index.close()
    }
  } catch {
    return false
  }
}
