import { ArchiveError } from '../base/errors.ts'
import { refuseLargeCells } from './large-cells.ts'
import { type Database, openDatabase } from './open-database.ts'
import { quoteText } from './quote.ts'

/**
 * A connection that reads one snapshot of two databases, the first as `main` and the second as `b`, and has temporary tables
 * of its own. Throws as `openDatabase` does, and `option-invalid` for a database in memory.
 */
export function openPair(a: Database, b: Database): Database {
  if (a.memory || b.memory) {
    throw new ArchiveError('option-invalid', 'expected databases in files, found one in memory')
  }
  for (const each of [a, b]) refuseLargeCells(each)
  const pair = openDatabase(a.name)
  try {
    // A connection that only reads attaches databases likewise.
    pair.exec(`ATTACH ${quoteText(b.name)} AS b`)
    pair.exec('BEGIN')
    // The first read of each starts its snapshot.
    for (const name of ['main', 'b']) {
      pair.prepare(`SELECT count(*) FROM ${name}.sqlite_schema`).get()
    }
    return pair
  } catch (error) {
    pair.close()
    throw error
  }
}
