import type Database from 'better-sqlite3'
import { EVENT_KINDS } from '../records/kinds/event-kinds.ts'
import { KINDS } from '../records/kinds.ts'
import { addGeneratedColumns } from './add-generated-columns.ts'
import { COMMIT_RELATIONS } from './commits-table.ts'
import { GIT_VIEWS } from './git-views.ts'
import { kindTable } from './kind-table.ts'
import { listViews } from './list-views.ts'
import { createStatement, indexStatement, type Relation } from './relation.ts'
import { SYSTEM_TABLES } from './system-tables.ts'
import { VIEWS } from './views.ts'

/** "marc" in ASCII: tells our databases from others, in the header of the file. */
export const APPLICATION_ID = 0x6d617263
/** Raised whenever tables or views change, so that an older program refuses a newer file. */
export const SCHEMA_VERSION = 2

const KIND_TABLES = Object.entries(KINDS).map(([name, kind]) => kindTable(name, kind))

/** Every table and view that each database has, with every column described. */
export const RELATIONS: readonly Relation[] = [
  ...KIND_TABLES,
  ...Object.entries(KINDS).flatMap(([name, kind]) => listViews(name, kind)),
  ...VIEWS,
  ...GIT_VIEWS,
  ...SYSTEM_TABLES,
  ...COMMIT_RELATIONS,
]

/**
 * Makes the tables that are not of records in an empty database. A table of records is made without generated
 * columns and indexes when the first one comes, which `completeTable` adds: SQLite works out even virtual
 * columns at each insert, which takes longer than the insert, and builds an index faster from all rows than
 * row by row. `completeSchema` does the rest.
 */
export function createSchema(database: Database.Database): void {
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.pragma(`user_version = ${SCHEMA_VERSION}`)
  for (const table of SYSTEM_TABLES) database.exec(createStatement(table))
  const insert = database.prepare('INSERT INTO event_kinds VALUES (?, ?, ?, ?)')
  for (const { event, meaning, members, source } of EVENT_KINDS) {
    insert.run(event, meaning, JSON.stringify(members), source)
  }
}

/** Whether a table or view with this name is there, whole or not. */
export const hasRelation = (database: Database.Database, name: string): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined

/** Whether `completeTable` is done with this table. */
export const isComplete = (database: Database.Database, { indexes }: Relation): boolean =>
  (indexes ?? []).every((index) => hasRelation(database, index.name))

/** Adds the generated columns and the indexes of a table. Throws SQLite's error if a url stands there twice. */
export function completeTable(database: Database.Database, table: Relation): void {
  addGeneratedColumns(database, [table])
  for (const index of table.indexes ?? []) database.exec(indexStatement(table.name, index))
}

/** Makes every table that is not there, whole, and the indexes and views that are missing. */
export function completeSchema(database: Database.Database): void {
  const names = new Set(database.prepare('SELECT name FROM sqlite_schema').pluck().all())
  const missing = RELATIONS.filter(({ name }) => !names.has(name))
  const tables = missing.filter(({ type }) => type === 'table')
  for (const table of tables) database.exec(createStatement(table))
  addGeneratedColumns(database, tables)
  for (const { name, indexes = [] } of RELATIONS) {
    for (const index of indexes) {
      if (!names.has(index.name)) database.exec(indexStatement(name, index))
    }
  }
  for (const view of missing) if (view.type === 'view') database.exec(createStatement(view))
}
