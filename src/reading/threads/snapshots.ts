import { dependentsOf } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { openSnapshot } from '../../database/open-snapshot.ts'
import { Remembered } from '../remembered.ts'
import { Store } from '../store.ts'

/** A snapshot of each connection that nobody reads now. */
const idle = new WeakMap<Database, Store>()

/**
 * A snapshot of the database of a connection, to be given back. One is kept for the next reader, with its statements, and
 * closed with the connection: opening one takes longer than reading most threads.
 */
export function takeSnapshot(database: Database): Store {
  const known = idle.get(database)
  if (!known) return Store.of(openSnapshot(database), new Remembered())
  idle.delete(database)
  known.database.exec('BEGIN')
  return known
}

/** Ends the transaction of a snapshot, and keeps or closes it. */
export function giveBackSnapshot(database: Database, snapshot: Store): void {
  const own = snapshot.database
  if (own.inTransaction) own.exec('COMMIT')
  const dependents = dependentsOf(database)
  // The snapshot of a database in memory is a copy, which does not change with it.
  if (!database.open || database.memory || !dependents || idle.has(database)) {
    snapshot.close()
    return
  }
  idle.set(database, snapshot)
  dependents.add(snapshot)
}
