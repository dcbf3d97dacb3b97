// node test/bench/references/append-to-duckdb.ts database folder [parquet]: the rows of an export, handed to DuckDB one value
// after the other by its Appender, as one would without Parquet in between; with the word parquet, DuckDB then writes them
// as Parquet. Needs @duckdb/node-api, which npm run engines installs.
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openDatabase } from '../../../src/database/open-database.ts'
import type { ExportType } from '../../../src/exporters/column-types.ts'
import { datasetTables } from '../../../src/exporters/ddl/dataset-views.ts'
import { openDatabaseSource } from '../../../src/exporters/sources/database-source.ts'
import { type ExportRow, type ExportTable, tableOfKind } from '../../../src/exporters/table.ts'
import { createTable } from '../../../src/exporters/targets/duckdb/schema.ts'
import { toExportRow } from '../../../src/exporters/to-export-row.ts'
import type { TypedValue } from '../../../src/exporters/to-typed.ts'

interface Appender {
  appendNull(): void
  appendVarchar(value: string): void
  appendBigInt(value: bigint): void
  appendBoolean(value: boolean): void
  appendTimestampTZ(value: unknown): void
  appendValue(value: unknown, type: unknown): void
  endRow(): void
  closeSync(): void
}

const require = createRequire(join(import.meta.dirname, '../../engines/package.json'))
const duckdb = require('@duckdb/node-api')
const [from = '', folder = '', format] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const settings = { memory_limit: '256MB', threads: '2' }
const instance = await duckdb.DuckDBInstance.create(join(folder, 'bench.duckdb'), settings)
const connection = await instance.connect()
for (const table of datasetTables([])) await connection.run(createTable(table))

const typeOf = (type: ExportType): unknown => {
  if (type.is === 'list') return duckdb.LIST(typeOf(type.element))
  if (type.is === 'struct') {
    return duckdb.STRUCT(
      Object.fromEntries(type.members.map((member) => [member.name, typeOf(member.type)])),
    )
  }
  return type.is === 'integer'
    ? duckdb.BIGINT
    : type.is === 'flag'
      ? duckdb.BOOLEAN
      : duckdb.VARCHAR
}

const nativeOf = (type: ExportType, value: TypedValue): unknown => {
  if (value === null) return null
  if (type.is === 'list') {
    return duckdb.listValue((value as TypedValue[]).map((one) => nativeOf(type.element, one)))
  }
  if (type.is === 'integer') return BigInt(value as number)
  if (type.is !== 'struct') return value
  const struct = value as Record<string, TypedValue>
  return duckdb.structValue(
    Object.fromEntries(
      type.members.map(({ name, type: of }) => [name, nativeOf(of, struct[name] ?? null)]),
    ),
  )
}

/** An appender for each table, with the types of its nested columns. */
const appenders = new Map<string, { appender: Appender; types: unknown[] }>()

async function append({ name, columns }: ExportTable, rows: readonly ExportRow[]): Promise<void> {
  let found = appenders.get(name)
  if (!found) {
    const types = columns.map(({ type }) => typeOf(type))
    found = { appender: (await connection.createAppender(name)) as Appender, types }
    appenders.set(name, found)
  }
  const { appender, types } = found
  const isRaw = columns.at(-1)?.name === '_record'
  for (const row of rows) {
    for (let i = 0; i < columns.length; i++) {
      const value = row[i] as TypedValue
      const type = columns[i]?.type as ExportType
      if (value === null || value === undefined) appender.appendNull()
      else if (type.is === 'time') {
        appender.appendTimestampTZ(
          new duckdb.DuckDBTimestampTZValue(BigInt(value as number) * 1000n),
        )
      } else if (type.is === 'integer') appender.appendBigInt(BigInt(value as number))
      else if (type.is === 'flag') appender.appendBoolean(value as boolean)
      else if (type.is === 'list' || type.is === 'struct') {
        appender.appendValue(nativeOf(type, value), types[i])
      } else appender.appendVarchar(String(value))
    }
    if (!isRaw && datasetColumns.has(name)) appender.appendNull()
    appender.endRow()
  }
}

/** Tables of kinds have the column `_record`, which is empty here. */
const datasetColumns = new Set(datasetTables([]).flatMap(({ name, kind }) => (kind ? [name] : [])))

const database = openDatabase(from)
const source = openDatabaseSource(database, 'bench')
const tables = new Map<string, ExportTable>()
await source.read({
  async records(name, kind, records) {
    const table = tables.get(name) ?? tableOfKind(name, kind, {})
    tables.set(name, table)
    const rows = records.map((record) => toExportRow(table, record, 'bench').row)
    await append(table, rows)
  },
  rows: (listing, rows) => append(listing, rows),
})
source.close()
for (const { appender } of appenders.values()) appender.closeSync()
for (const name of format === 'parquet' ? appenders.keys() : []) {
  const path = join(folder, `${name}.parquet`)
  await connection.run(`COPY ${name} TO '${path}' (FORMAT parquet, COMPRESSION zstd)`)
}
connection.closeSync()
instance.closeSync()
