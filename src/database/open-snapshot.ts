import { type Database, openConnection } from './connection.ts'

/**
 * A connection of our own to the same database, to read it as it is now, whatever others write meanwhile
 * (they wait until it is closed), and to make temporary tables. What the given one has not committed is not
 * seen.
 */
export function openSnapshot(database: Database): Database {
  if (database.memory) return openConnection(database.serialize())
  const own = openConnection(database.name, { readonly: true, fileMustExist: true })
  try {
    own.exec('BEGIN')
    // A transaction begins with the first read.
    own.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch (error) {
    own.close()
    throw error
  }
  return own
}
