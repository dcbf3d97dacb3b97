import type Database from 'better-sqlite3'
import { EVENT_KINDS } from '../records/kinds/event-kinds.ts'
import { KINDS } from '../records/kinds.ts'
import { kindTable } from './kind-table.ts'
import { listViews } from './list-views.ts'
import { createStatement, indexStatement, type Relation } from './relation.ts'
import { SYSTEM_TABLES } from './system-tables.ts'
import { VIEWS } from './views.ts'

/** "marc" in ASCII: tells our databases from others, in the header of the file. */
export const APPLICATION_ID = 0x6d617263
/** Raised whenever tables or views change, so that an older program refuses a newer file. */
export const SCHEMA_VERSION = 1

const KIND_TABLES = Object.entries(KINDS).map(([name, kind]) => kindTable(name, kind))

/** Every table and view that each database has, with every column described. */
export const RELATIONS: readonly Relation[] = [
  ...KIND_TABLES,
  ...Object.entries(KINDS).flatMap(([name, kind]) => listViews(name, kind)),
  ...VIEWS,
  ...SYSTEM_TABLES,
]

/** Makes all tables and views, without indexes, in an empty database. */
export function createSchema(database: Database.Database): void {
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.pragma(`user_version = ${SCHEMA_VERSION}`)
  for (const relation of RELATIONS) database.exec(createStatement(relation))
  const insert = database.prepare('INSERT INTO event_kinds VALUES (?, ?, ?, ?)')
  for (const { event, meaning, members, source } of EVENT_KINDS) {
    insert.run(event, meaning, JSON.stringify(members), source)
  }
}

/** Makes the indexes of a table: after the rows, because building them in one go is faster. */
export function createIndexes(database: Database.Database, { name, indexes = [] }: Relation): void {
  for (const index of indexes) database.exec(indexStatement(name, index))
}
