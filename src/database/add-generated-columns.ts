import type Database from 'better-sqlite3'
import { createStatement, type Relation } from './relation.ts'

/**
 * Gives tables the generated columns that they were made without; all others stay as they are. Indexes are to
 * follow in the same transaction: by them other connections see that the schema has changed.
 */
export function addGeneratedColumns(
  database: Database.Database,
  tables: readonly Relation[],
): void {
  const find = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND sql = ?")
  const isBare = (table: Relation) =>
    table.columns.some(({ generated }) => generated !== undefined) &&
    find.get(createStatement(table)) !== undefined
  const bare = tables.filter(isBare)
  if (bare.length === 0) return
  // A virtual column is nothing but words in the schema. ALTER TABLE writes one at a time, each time parsing the whole
  // schema again, which takes as long as all else about a small archive; SQLite's documents show this way beside it.
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = ON')
    const complete = database.prepare('UPDATE sqlite_schema SET sql = ? WHERE sql = ?')
    for (const table of bare) {
      complete.run(createStatement(table, { whole: true }), createStatement(table))
    }
  } finally {
    database.pragma('writable_schema = RESET')
    database.unsafeMode(false)
  }
}
