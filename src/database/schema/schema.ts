import { EVENT_TYPES } from '../../records/kinds/event-types.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import type { Database } from '../database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { COMMIT_RELATIONS } from './commits-table.ts'
import { GIT_VIEWS } from './git-views.ts'
import { kindTable } from './kind-table.ts'
import { listViews } from './list-views.ts'
import { createStatement, indexStatement, type Relation } from './relation.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema-version.ts'
import { SYSTEM_TABLES } from './system-tables.ts'
import { VIEWS } from './views.ts'

const KIND_TABLES = Object.entries(KINDS).map(([name, kind]) => kindTable(name, kind))

/** All tables and views of every database, with descriptions of all columns. */
export const RELATIONS: readonly Relation[] = [
  ...KIND_TABLES,
  ...Object.entries(KINDS).flatMap(([name, kind]) => listViews(name, kind)),
  ...VIEWS,
  ...GIT_VIEWS,
  ...SYSTEM_TABLES,
  ...COMMIT_RELATIONS,
]

const TABLES = RELATIONS.filter(({ type }) => type === 'table')

/**
 * Creates the tables in an empty database, without generated columns and indexes: SQLite computes even virtual columns
 * at each insert, which takes longer than the insert itself, and builds an index faster from all rows at once.
 * `completeSchema` and `addIndexes` add them after the inserts.
 */
export function createSchema(database: Database): void {
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.pragma(`user_version = ${SCHEMA_VERSION}`)
  runAll(
    database,
    TABLES.map((table) => createStatement(table)),
  )
  const insert = database.prepare('INSERT INTO event_types VALUES (?, ?, ?, ?)')
  for (const { event, meaning, members, source } of EVENT_TYPES) {
    insert.run(event, meaning, JSON.stringify(members), source)
  }
}

/** Whether there is a table, view or index with this name. */
export const hasRelation = (database: Database, name: string): boolean =>
  prepareOnce(database, 'SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined

/** The names of all tables, views and indexes. */
export const relationNames = (database: Database): Set<string> =>
  new Set(database.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all())

/** Creates the indexes of a table. Throws SQLite's error if two rows have the same URL. */
export function addIndexes(
  database: Database,
  { name, indexes = [] }: Pick<Relation, 'name' | 'indexes'>,
): void {
  runAll(
    database,
    indexes.map((index) => indexStatement(name, index)),
  )
}

/**
 * Creates missing tables and views, and adds missing generated columns to them and to `others`, the tables of unknown
 * kinds. Creates no indexes.
 */
export function completeSchema(database: Database, others: readonly Relation[] = []): void {
  const names = relationNames(database)
  for (const table of TABLES) {
    if (!names.has(table.name)) database.exec(createStatement(table))
  }
  completeRelations(database, [...RELATIONS, ...others])
}

/** Creates missing indexes. */
export function completeIndexes(database: Database): void {
  const names = relationNames(database)
  const statements = TABLES.flatMap(({ name, indexes = [] }) =>
    indexes.filter((index) => !names.has(index.name)).map((index) => indexStatement(name, index)),
  )
  runAll(database, statements)
}

/** Runs statements in one call: a call for each takes 1 ms more for an empty database. */
const runAll = (database: Database, statements: readonly string[]) =>
  void database.exec(statements.join(';\n'))

/**
 * Adds the generated columns to tables created without them, and creates missing views. Changes nothing else.
 *
 * It writes the statements into the schema, as SQLite's documentation describes for changes that leave the rows alone.
 * For 97 columns and 41 views this takes 2 ms, most of it for SQLite to read the schema once more. CREATE VIEW would
 * take 4 ms more, and ALTER TABLE, which parses the whole schema after each column, 76 ms: four times the rest of the
 * load of a small archive.
 */
function completeRelations(database: Database, relations: readonly Relation[]): void {
  const statements = readStatements(database)
  const views = relations.filter(
    ({ type, name }) => type === 'view' && !statements.has(name.toLowerCase()),
  )
  const tables = relations.filter(
    (table) =>
      table.columns.some(({ generated }) => generated !== undefined) &&
      statements.get(table.name.toLowerCase()) === createStatement(table),
  )
  if (views.length + tables.length === 0) return
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = ON')
    const update = database.prepare(
      "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
    )
    for (const table of tables) update.run(createStatement(table, { whole: true }), table.name)
    const insert = database.prepare(
      "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('view', ?, ?, 0, ?)",
    )
    for (const view of views) insert.run(view.name, view.name, createStatement(view))
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
