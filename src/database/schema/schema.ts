import { EVENT_TYPES } from '../../records/kinds/event-types.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import type { Database } from '../database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { COMMIT_RELATIONS } from './commits-table.ts'
import { GIT_VIEWS } from './git-views.ts'
import { kindTable, withIdentity } from './kind-table.ts'
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
const OTHER_TABLES = TABLES.filter((table) => !KIND_TABLES.includes(table))

/**
 * Creates the tables in an empty database, without generated columns and indexes: SQLite computes even virtual columns
 * at each insert, which takes longer than the insert itself, and builds an index faster from all rows at once.
 * `completeTables` and `addIndexes` add them after the inserts.
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
 * Creates missing tables, and adds missing generated columns to them and to `others`, the tables of unknown kinds. Creates
 * neither indexes nor views.
 *
 * It writes the statements into the schema. ALTER TABLE parses the whole schema after each column: 76 ms for 97 columns, four
 * times the rest of the load of a small archive.
 */
export function completeTables(database: Database, others: readonly Relation[] = []): void {
  const names = relationNames(database)
  for (const table of TABLES) {
    if (!names.has(table.name)) database.exec(createStatement(table))
  }
  const statements = readStatements(database)
  const tables = [...TABLES, ...others].filter(
    (table) =>
      table.columns.some(({ generated }) => generated !== undefined) &&
      statements.get(table.name.toLowerCase()) === createStatement(table),
  )
  if (tables.length === 0) return
  writeIntoSchema(database, () => {
    const update = database.prepare(
      "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
    )
    for (const table of tables) update.run(createStatement(table, { whole: true }), table.name)
  })
}

/**
 * Creates missing views. SQLite parses them, as the rest of the schema, at the next statement, which takes longer than to read
 * a small archive: do this last.
 */
export function completeViews(database: Database): void {
  const names = new Set([...relationNames(database)].map((name) => name.toLowerCase()))
  const views = RELATIONS.filter(({ type, name }) => type === 'view' && !names.has(name))
  if (views.length === 0) return
  writeIntoSchema(database, () => {
    const insert = database.prepare(
      "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('view', ?, ?, 0, ?)",
    )
    for (const view of views) insert.run(view.name, view.name, createStatement(view))
  })
}

/** Creates missing indexes. */
export const completeIndexes = (database: Database): void => createMissing(database, TABLES)

/**
 * Creates missing indexes, except those by which only readers look up records: made after the last of many archives, these take
 * a tenth of the time of as many inserts.
 */
export const completeIndexesForLoads = (database: Database): void =>
  createMissing(database, [...KIND_TABLES.map(withIdentity), ...OTHER_TABLES])

function createMissing(database: Database, tables: readonly Relation[]): void {
  const names = relationNames(database)
  const statements = tables.flatMap(({ name, indexes = [] }) =>
    indexes.filter((index) => !names.has(index.name)).map((index) => indexStatement(name, index)),
  )
  runAll(database, statements)
}

/** Runs statements in one call: a call for each takes 1 ms more for an empty database. */
const runAll = (database: Database, statements: readonly string[]) =>
  void database.exec(statements.join(';\n'))

/** Lets `write` change the schema, as SQLite's documentation describes for changes that leave the rows alone. */
function writeIntoSchema(database: Database, write: () => void): void {
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = ON')
    write()
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
