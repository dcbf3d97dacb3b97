import { type Database, openConnection } from './connection.ts'
import { secureConnection } from './secure-connection.ts'

/**
 * A separate connection to the same database. It reads one snapshot, whatever others write meanwhile (they wait until it
 * is closed), and has its own temporary tables. It does not see uncommitted changes of the given connection.
 */
export function openSnapshot(database: Database): Database {
  const own = database.memory
    ? openConnection(database.serialize())
    : openConnection(database.name, { readonly: true, fileMustExist: true })
  try {
    secureConnection(own, { writes: false })
    if (database.memory) return own
    own.exec('BEGIN')
    // The first read starts the transaction.
    own.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch (error) {
    own.close()
    throw error
  }
  return own
}
