import Sqlite from 'better-sqlite3'
import { type Database, translateErrors } from './open-database.ts'

/**
 * A connection of our own to the same database, to read it as it is now, whatever others write meanwhile
 * (they wait until it is closed), and to make temporary tables. What the given one has not committed is not
 * seen.
 */
export function openSnapshot(database: Database): Database {
  return translateErrors(database.name, () => {
    if (database.memory) return new Sqlite(database.serialize())
    const own = new Sqlite(database.name, { readonly: true, fileMustExist: true })
    try {
      own.exec('BEGIN')
      // A transaction begins with the first read.
      own.prepare('SELECT count(*) FROM sqlite_schema').get()
    } catch (error) {
      own.close()
      throw error
    }
    return own
  })
}
