import { join } from 'node:path'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'
import { datasetTables } from '../../ddl/dataset-views.ts'
import { ENGINES } from '../../ddl/engine.ts'
import {
  compareDefinitions,
  type Definition,
  findStrayRows,
  type Inspection,
} from '../../read-back/definitions.ts'
import type { ExportTable } from '../../table.ts'
import { type Connection, withDuckDb } from './connection.ts'
import { createSchema, createTable } from './schema.ts'

/** Everything that the catalog of a file says of its tables and views. */
const CATALOG = `
SELECT table_name AS "table", 'table' AS fact, 'table' AS text FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal
UNION ALL SELECT view_name, 'view', sql FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal
UNION ALL SELECT table_name, 'comment', comment FROM duckdb_tables()
  WHERE schema_name = 'main' AND NOT internal AND comment IS NOT NULL AND table_name <> '_exports'
UNION ALL SELECT table_name, 'column ' || column_name, concat_ws(' ', data_type,
    CASE WHEN NOT is_nullable THEN 'NOT NULL' END, 'DEFAULT ' || column_default)
  FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal
UNION ALL SELECT table_name, 'comment on ' || column_name, comment FROM duckdb_columns()
  WHERE schema_name = 'main' AND NOT internal AND comment IS NOT NULL
UNION ALL SELECT table_name, 'constraint ' || constraint_text, constraint_text FROM duckdb_constraints()
  WHERE schema_name = 'main'
UNION ALL SELECT table_name, 'index ' || index_name, sql FROM duckdb_indexes() WHERE schema_name = 'main'
UNION ALL SELECT function_name, 'macro', any_value(macro_definition) FROM duckdb_functions()
  WHERE schema_name = 'main' AND NOT internal GROUP BY function_name`

/** Compares the tables and views of a file with those of a file made anew. */
export async function inspectDuckDb(
  connection: Connection,
  tables: readonly ExportTable[],
): Promise<Inspection> {
  const found = await connection.query<Definition>(CATALOG)
  const always = new Set(datasetTables([]).map(({ name }) => name))
  const unknown = tables.filter(({ name }) => !always.has(name))
  const expected = await catalogOfTwin([createSchema(), ...unknown.map(createTable)].join('\n'))
  const compared = compareDefinitions(expected, found)
  const stray = await findStrayRows(
    tables.filter(({ name }) => compared.isReadable(name, '_archive')),
    {
      exported: 'SELECT name FROM _exports',
      engine: ENGINES.duckdb,
      ask: (sql) => connection.query(sql),
    },
  )
  return {
    ...compared,
    tables,
    differences: [...compared.differences, ...stray],
    notCompared: ['the order of columns', 'tables and views of others', 'bytes in manifests'],
  }
}

/** The catalog of a file that these statements make. */
async function catalogOfTwin(statements: string): Promise<Definition[]> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'twin.duckdb')
  try {
    await withDuckDb(path, {}, (twin) => twin.run(statements))
    // What views say is printed in another way once the file was closed.
    return await withDuckDb(path, { readOnly: true }, (twin) => twin.query<Definition>(CATALOG))
  } finally {
    folder.remove()
  }
}
