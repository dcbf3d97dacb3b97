import type { Database } from '../database.ts'
import { createStatement, type Relation } from './relation.ts'

/** Adds the generated columns to tables created without them, and creates missing views. Changes nothing else. */
export function completeRelations(database: Database, relations: readonly Relation[]): void {
  const statements = readStatements(database)
  addGeneratedColumns(
    database,
    relations.filter(
      (table) =>
        table.columns.some(({ generated }) => generated !== undefined) &&
        statements.get(table.name.toLowerCase()) === createStatement(table),
    ),
  )
  for (const view of relations) {
    if (view.type === 'view' && !statements.has(view.name.toLowerCase())) {
      database.exec(createStatement(view))
    }
  }
}

/**
 * Rewrites the statements of tables in the schema, as SQLite's documentation describes for changes that leave the rows
 * alone. For 97 columns, this takes 1 ms; ALTER TABLE adds them one by one, parses the whole schema after each, and
 * takes 76 ms: as long as the rest of the load of a small archive.
 */
function addGeneratedColumns(database: Database, tables: readonly Relation[]): void {
  if (tables.length === 0) return
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = ON')
    const update = database.prepare(
      "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
    )
    for (const table of tables) update.run(createStatement(table, { whole: true }), table.name)
    // Other connections learn from this number that the schema has changed.
    const version = Number(database.pragma('schema_version', { simple: true }))
    database.pragma(`schema_version = ${version + 1}`)
  } finally {
    database.pragma('writable_schema = RESET')
    database.unsafeMode(false)
  }
}

/** The statements of all tables, views and indexes by name, in lower case: SQLite ignores case in names. */
function readStatements(database: Database): Map<string, string> {
  const all = database
    .prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type <> 'trigger'")
    .raw()
    .all()
  return new Map(all.map(([name, sql]) => [name.toLowerCase(), sql]))
}
