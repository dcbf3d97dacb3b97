import type { Database } from '../database.ts'
import { createStatement, type Relation } from './relation.ts'

/**
 * Gives tables the generated columns that they were made without, and makes views that are not there; all else
 * stays as it is.
 */
export function completeRelations(database: Database, relations: readonly Relation[]): void {
  const there = readStatements(database)
  const isBare = (table: Relation) =>
    table.columns.some(({ generated }) => generated !== undefined) &&
    there.get(table.name.toLowerCase()) === createStatement(table)
  const tables = relations.filter((relation) => relation.type === 'table' && isBare(relation))
  const views = relations.filter(({ type, name }) => type === 'view' && !there.has(name))
  if (tables.length + views.length === 0) return
  // Both are nothing but words in the schema. ALTER TABLE and CREATE VIEW write them one by one, each time parsing it
  // again, which takes as long as all else about a small archive; SQLite's documents show this way beside it.
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = ON')
    const complete = database.prepare(
      "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
    )
    for (const table of tables) complete.run(createStatement(table, { whole: true }), table.name)
    const add = database.prepare("INSERT INTO sqlite_schema VALUES ('view', ?, ?, 0, ?)")
    for (const view of views) add.run(view.name, view.name, createStatement(view))
    // By this other connections see that the schema has changed.
    const version = Number(database.pragma('schema_version', { simple: true }))
    database.pragma(`schema_version = ${version + 1}`)
  } finally {
    database.pragma('writable_schema = RESET')
    database.unsafeMode(false)
  }
}

/** What is there by name, in lower case, as SQLite does not tell names apart by case. */
function readStatements(database: Database): Map<string, string> {
  const all = database
    .prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type <> 'trigger'")
    .raw()
    .all()
  return new Map(all.map(([name, sql]) => [name.toLowerCase(), sql]))
}
