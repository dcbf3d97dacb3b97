/** Tables in memory, with the whole schema, for what needs no archive. */

import { onTestFinished } from 'vitest'
import { type Database, openConnection } from '../../src/database/connection.ts'
import { quoteName } from '../../src/database/quote.ts'
import { toRow } from '../../src/database/rows/to-row.ts'
import {
  completeIndexes,
  completeTables,
  completeViews,
  createSchema,
} from '../../src/database/schema/schema.ts'
import { unknownKind } from '../../src/database/schema/unknown-kind.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import { kindNamed } from '../../src/records/kinds/kind-of-record.ts'

// To copy the pages of a database is much faster than to make its tables once more.
const empty = (() => {
  const database = openConnection(':memory:')
  createSchema(database)
  completeTables(database)
  completeIndexes(database)
  completeViews(database)
  return database.serialize()
})()

/** A database with these records by table: `tablesWith({ issues: [{ url: … }] })`. */
export function tablesWith(records: Record<string, readonly object[]> = {}): Database {
  const database = openConnection(empty)
  onTestFinished(() => void database.close())
  insertRecords(database, records)
  return database
}

/**
 * The same in tables that tests share, which takes a tenth of the time: until the next call, or the end of the test. It is
 * in a transaction, which is taken back then.
 */
export function sharedTablesWith(records: Record<string, readonly object[]>): Database {
  const database = emptyTables()
  const takeBack = () => void (database.inTransaction && database.exec('ROLLBACK'))
  takeBack()
  onTestFinished(takeBack)
  database.exec('BEGIN')
  insertRecords(database, records)
  return database
}

function insertRecords(database: Database, records: Record<string, readonly object[]>): void {
  for (const [table, rows] of Object.entries(records)) {
    for (const record of rows) insertRecord(database, table, record as JsonObject)
  }
}

let shared: Database | undefined

/** Empty tables that tests share which only read. */
export function emptyTables(): Database {
  shared ??= openConnection(empty)
  return shared
}

/** Puts a record into its table. Returns its rowid. */
export function insertRecord(database: Database, table: string, record: JsonObject): number {
  const kind = kindNamed(table) ?? unknownKind(table)
  const columns = [...Object.keys(kind.columns), '_extra', '_member_order'].map(quoteName)
  const insert = database.prepare(
    `INSERT INTO ${quoteName(table)} (${columns}) VALUES (${columns.map(() => '?')})`,
  )
  return Number(insert.run(toRow(kind, record)).lastInsertRowid)
}
