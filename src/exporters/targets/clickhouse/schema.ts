import { unknownKind } from '../../../database/schema/unknown-kind.ts'
import type { ExportColumn } from '../../column-types.ts'
import { datasetTables } from '../../ddl/dataset-views.ts'
import { ENGINES } from '../../ddl/engine.ts'
import { tableViews } from '../../ddl/table-views.ts'
import type { PartitionKey } from '../../exporter.ts'
import { type ExportTable, tableOfKind } from '../../table.ts'

const { clickhouse } = ENGINES
export const { quote, text } = clickhouse

/** The table of an unknown kind. */
export const unknownTable = (name: string): ExportTable =>
  tableOfKind(name, unknownKind(name), { raw: true })

/** Columns with few different values. */
const isRepeated = (name: string) => /^(?:event|state|repository|full_name)$|_login$/.test(name)

function typeOf({ name, type }: ExportColumn): string {
  if (name === '_archive') return 'LowCardinality(String)'
  const plain = clickhouse.type(type)
  return type.is === 'text' && isRepeated(name) ? `LowCardinality(${plain})` : plain
}

export const SHARD = '_shard LowCardinality(String)'

/** The statements that make a table, and add columns that an older one lacks. */
export function createTable(
  { name, columns, kind }: ExportTable,
  key: PartitionKey = 'archive',
): string[] {
  const typed = [
    ...columns.map(
      (column) => `${quote(column.name)} ${typeOf(column)} COMMENT ${text(column.description)}`,
    ),
    `${SHARD} COMMENT 'The server or group that the row was given to.'`,
  ]
  const wanted = kind ? ['repository', 'url'] : ['full_name', 'path', 'name', 'oid']
  const order = wanted.filter((one) => columns.some((column) => column.name === one))
  const comment = kind?.summary ? `\nCOMMENT ${text(kind.summary)}` : ''
  return [
    `CREATE TABLE IF NOT EXISTS ${quote(name)} (\n  ${typed.join(',\n  ')}\n)
ENGINE = MergeTree PARTITION BY _${key} ORDER BY (${order.map(quote).join(', ')})
SETTINGS allow_nullable_key = 1${comment}`,
    `ALTER TABLE ${quote(name)} ${typed.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`,
  ]
}

const EXPORTS = `CREATE TABLE IF NOT EXISTS _exports (name String, manifest String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY name`

const ARCHIVES = `SELECT name, JSONExtractString(manifest, 'state') AS state,
  JSONExtract(manifest, 'source', 'newest', 'Nullable(String)') AS newest
FROM _exports FINAL WHERE manifest != ''`

/** The statements that make everything that a database has before its rows. */
export function createSchema(key?: PartitionKey): string[] {
  const tables = datasetTables([])
  return [
    EXPORTS,
    ...tables.flatMap((table) => createTable(table, key)),
    ...tableViews(clickhouse, tables, ARCHIVES).map(
      ({ name, select }) => `CREATE OR REPLACE VIEW ${quote(name)} AS\n${select}`,
    ),
  ]
}

/** The same for people, with the database. */
export const describeSchema = (database: string, key?: PartitionKey): string =>
  [createDatabase(database), `USE ${quote(database)}`, ...createSchema(key)]
    .map((statement) => `${statement};\n`)
    .join('\n')

export const createDatabase = (database: string): string =>
  `CREATE DATABASE IF NOT EXISTS ${quote(database)}`
