import { anOpenDatabase, aText, checkArguments, oneOf } from '../../base/check-arguments.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { type ArchiveRecord, KINDS, type KindName } from '../../records/kinds/kinds.ts'
import { refuseLargeRow } from '../large-row.ts'
import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import type { Row } from '../schema/row-layout.ts'
import { unknownKind } from '../schema/unknown-kind.ts'
import { toRecord } from './to-record.ts'

/**
 * The tables of records, including those of unknown kinds. One of a known kind that lost a column is among them: whoever reads
 * it gets an error, not an archive without its records.
 */
export function recordTables(database: Database, schema = 'main'): string[] {
  return database
    .prepare<[string], string>(
      `SELECT name FROM ${schema}.sqlite_schema AS t WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
       AND (EXISTS (SELECT 1 FROM pragma_table_info(t.name, '${schema}') WHERE name = '_member_order')
         OR name IN (SELECT value FROM json_each(?)))`,
    )
    .pluck()
    .all(JSON.stringify(Object.keys(KINDS)))
}

/** Whether a table has a row; in the given schema, or wherever SQLite finds the name first. */
export function hasRows(database: Database, table: string, schema?: string): boolean {
  const name = schema === undefined ? quoteName(table) : `${schema}.${quoteName(table)}`
  return database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined
}

/** A SELECT may return 2,000 columns by default. */
const MOST_AT_ONCE = 500

/**
 * Those of these tables that have rows. To ask for all of them takes no longer than to prepare a statement with the
 * columns of one, and most archives lack most kinds.
 */
export function filledTables(database: Database, tables: readonly string[]): ReadonlySet<string> {
  const filled = new Set<string>()
  for (let at = 0; at < tables.length; at += MOST_AT_ONCE) {
    const some = tables.slice(at, at + MOST_AT_ONCE)
    const columns = some.map((table) => `EXISTS (SELECT 1 FROM ${quoteName(table)})`)
    const row = database
      .prepare<[], number[]>(`SELECT ${columns.join(', ')}`)
      .raw()
      .get()
    for (const [i, table] of some.entries()) if (row?.[i] === 1) filled.add(table)
  }
  return filled
}

/** The kind of a table, and SQL for the columns that make up a record. */
export function recordColumns(table: string, from = table): { kind: Kind; columns: string } {
  const kind: Kind = kindNamed(table) ?? unknownKind(table)
  const names = [...Object.keys(kind.columns), '_extra', '_member_order']
  return { kind, columns: names.map((name) => `${quoteName(from)}.${quoteName(name)}`).join(', ') }
}

/** Reads records of a table by rowid. */
export function createRecordReader(database: Database, table: string) {
  const { kind, columns } = recordColumns(table)
  const sql = `SELECT ${columns} FROM ${quoteName(table)} WHERE rowid = ?`
  const select = prepareOnce<[number | bigint], Row>(database, sql).raw().safeIntegers()
  return (rowid: number | bigint): JsonObject | undefined => {
    const row = select.get(rowid) as Row | undefined
    return row && toRecord(kind, row)
  }
}

const aKind = oneOf(...Object.keys(KINDS))

/**
 * Finds the record with a URL.
 *
 * @param database an open database
 * @param url the URL of the record
 * @param kind the only kind to search; by default all
 * @returns the record as in the archive, or undefined
 * @throws `database-damaged` or `option-invalid`
 * @example
 * const issue = findRecord(database, 'https://github.com/ada/kettle/issues/1', 'issues')
 */
export function findRecord<Name extends KindName>(
  database: Database,
  url: string,
  kind: Name,
): ArchiveRecord<Name> | undefined
export function findRecord(database: Database, url: string, kind?: KindName): JsonObject | undefined
export function findRecord(
  database: Database,
  url: string,
  kind?: KindName,
): JsonObject | undefined {
  checkArguments({ database, url }, { database: anOpenDatabase, url: aText })
  if (kind !== undefined) checkArguments({ kind }, { kind: aKind })
  for (const table of kind === undefined ? recordTables(database) : [kind]) {
    const sql = `SELECT rowid FROM ${quoteName(table)} WHERE "url" = ?`
    const rowid = prepareOnce<[string], bigint>(database, sql).pluck().safeIntegers().get(url)
    if (rowid === undefined) continue
    refuseLargeRow(database, table, rowid)
    return createRecordReader(database, table)(rowid)
  }
  return undefined
}
