/** SQLite is the measure for engines: it has what was loaded, and knows nothing of exports. */

import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { loadArchive } from '../../src/load/load-archive.ts'
import type { Row } from './engines.ts'

/** Questions that give the same answer in the database and in every engine. */
export const SAME_VIEWS = [
  'SELECT state, count(*) AS n FROM threads GROUP BY state ORDER BY state',
  'SELECT kind, count(*) AS n, count(user_login) AS users FROM timeline GROUP BY kind ORDER BY kind',
  'SELECT count(*) AS n FROM timeline WHERE by_bot',
  'SELECT kind, login FROM people ORDER BY kind, login',
]

/** A database that an archive was loaded into. */
export async function openSqlite(archive: string, folder: string) {
  const path = join(folder, 'it.db')
  await loadArchive(archive, path)
  const database = new Sqlite(path, { readonly: true })
  const columns = (table: string): Set<string> =>
    new Set(
      database
        .prepare<[string], { name: string }>('SELECT name FROM pragma_table_xinfo(?)')
        .all(table)
        .map(({ name }) => name),
    )
  return {
    ask: async (sql: string) => database.prepare<[], Row>(sql).all(),
    /** The names of the columns of a table, stored or derived. */
    columns,
    /** Whether a table has rows. */
    has: (table: string) =>
      columns(table).size > 0 &&
      database.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).all().length > 0,
    close: () => database.close(),
  }
}
