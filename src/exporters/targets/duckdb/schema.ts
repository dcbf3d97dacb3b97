import { quoteName, quoteText } from '../../../database/quote.ts'
import { unknownKind } from '../../../database/schema/unknown-kind.ts'
import type { ExportColumn } from '../../column-types.ts'
import { datasetTables } from '../../ddl/dataset-views.ts'
import { ENGINES } from '../../ddl/engine.ts'
import { tableViews } from '../../ddl/table-views.ts'
import { type ExportTable, tableOfKind } from '../../table.ts'

const { duckdb } = ENGINES

/** The table of an unknown kind. */
export const unknownTable = (name: string): ExportTable =>
  tableOfKind(name, unknownKind(name), { raw: true })

/** The statements that make a table and describe it. */
export function createTable({ name, columns, kind }: ExportTable): string {
  const table = quoteName(name)
  const typed = columns.map((column) => `${quoteName(column.name)} ${duckdb.type(column.type)}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (\n  ${typed.join(',\n  ')}\n);`,
    ...(kind?.summary ? [`COMMENT ON TABLE ${table} IS ${quoteText(kind.summary)};`] : []),
    ...columns.map(
      (column) =>
        `COMMENT ON COLUMN ${table}.${quoteName(column.name)} IS ${quoteText(column.description)};`,
    ),
  ].join('\n')
}

/** The statement that adds a column to the table of an older version. */
export const addColumn = (table: string, { name, type }: ExportColumn): string =>
  `ALTER TABLE ${quoteName(table)} ADD COLUMN ${quoteName(name)} ${duckdb.type(type)}`

/** Everything that a file has before its rows: tables and views. */
export function createSchema(): string {
  const tables = datasetTables([])
  return [
    'CREATE TABLE IF NOT EXISTS _exports (name VARCHAR PRIMARY KEY, manifest JSON NOT NULL);',
    ...tables.map(createTable),
    ...tableViews(duckdb, tables).map(
      ({ name, select }) => `CREATE OR REPLACE VIEW ${quoteName(name)} AS\n${select};`,
    ),
  ].join('\n\n')
}
