import { randomBytes } from 'node:crypto'
import { datasetTables } from '../../ddl/dataset-views.ts'
import { ENGINES } from '../../ddl/engine.ts'
import type { PartitionKey } from '../../exporter.ts'
import {
  compareDefinitions,
  type Definition,
  findStrayRows,
  type Inspection,
  uncompared,
} from '../../read-back/definitions.ts'
import type { ExportTable } from '../../table.ts'
import type { Connection } from './connection.ts'
import { createDatabase, createSchema, createTable, quote, text } from './schema.ts'

/** Everything that the catalog says of the tables and views of a database. Those for a moment begin with `_lock_` or `_new_`. */
const catalogOf = (database: string) => {
  const own = `database = ${text(database)}`
  // Statements name tables with their database.
  const plain = (statement: string) =>
    `replaceAll(replaceAll(${statement}, ${text(`${database}.`)}, ''), ${text(`\`${database}\`.`)}, '')`
  return `SELECT name AS "table", if(engine = 'View', 'view', 'table') AS fact,
  if(engine = 'View', ${plain('as_select')}, engine_full) AS text FROM system.tables WHERE ${own}
UNION ALL SELECT name, 'comment', comment FROM system.tables WHERE ${own} AND comment != '' AND name != '_exports'
UNION ALL SELECT "table", concat('column ', name),
  concat(type, if(default_kind = '' OR name = '_shard', '', concat(' ', default_kind, ' ', default_expression)))
  FROM system.columns WHERE ${own}
UNION ALL SELECT "table", concat('comment on ', name), comment FROM system.columns WHERE ${own} AND comment != ''
UNION ALL SELECT "table", concat('index ', name), expr FROM system.data_skipping_indices WHERE ${own}`
}

/** Compares the tables and views of a database with those of one that is made for this. */
export async function inspectClickHouse(
  connection: Connection,
  {
    server,
    twin: twinOf,
    database,
    key,
    tables,
  }: {
    /** Asks without a database. */
    server: Connection
    twin(database: string): Connection
    database: string
    key: PartitionKey
    tables: readonly ExportTable[]
  },
): Promise<Inspection> {
  const found = await server.query<Definition>(catalogOf(database))
  const always = new Set(datasetTables([]).map(({ name }) => name))
  const unknown = tables.filter(({ name }) => !always.has(name))
  const twin = `${database}_verify_${randomBytes(4).toString('hex')}`
  let compared: ReturnType<typeof compareDefinitions>
  try {
    await server.run(createDatabase(twin))
    const other = twinOf(twin)
    for (const statement of createSchema(key)) await other.run(statement)
    for (const statement of unknown.flatMap((table) => createTable(table, key))) {
      await other.run(statement)
    }
    compared = compareDefinitions(await server.query<Definition>(catalogOf(twin)), found)
  } catch (error) {
    compared = uncompared(found, error)
  } finally {
    // Who may not make it may not drop it either.
    await server.run(`DROP DATABASE IF EXISTS ${quote(twin)}`).catch(() => {})
  }
  const stray = await findStrayRows(
    tables.filter(({ name }) => compared.isReadable(name, '_archive')),
    {
      exported: "SELECT name FROM _exports FINAL WHERE manifest != ''",
      engine: ENGINES.clickhouse,
      ask: (sql) => connection.query(sql),
    },
  )
  return {
    ...compared,
    tables,
    differences: [...compared.differences, ...stray],
    notCompared: [
      ...compared.notCompared,
      'the order of columns',
      'tables and views of others',
      'rights and row policies',
      'bytes in manifests',
    ],
  }
}
