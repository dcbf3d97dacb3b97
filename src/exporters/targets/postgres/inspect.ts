import { quoteName } from '../../../database/quote.ts'
import { datasetTables } from '../../ddl/dataset-views.ts'
import { postgres } from '../../ddl/engine.ts'
import {
  compareDefinitions,
  type Definition,
  findStrayRows,
  type Inspection,
  uncompared,
} from '../../read-back/definitions.ts'
import type { ExportTable } from '../../table.ts'
import type { Connection } from './connection.ts'
import { createTable, createTables, indexesOf } from './schema.ts'

/** Everything that the catalog says of the tables and views of a schema, given by its oid. */
const catalogOf = (schema: string) => `
WITH relations AS (SELECT oid, relname, relkind, relrowsecurity FROM pg_class
  WHERE relnamespace = ${schema} AND relkind IN ('r', 'p', 'v', 'm', 'f'))
SELECT relname AS "table", CASE WHEN relkind = 'v' THEN 'view' ELSE 'table' END AS fact,
  CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) WHEN 'r' THEN 'table' WHEN 'm' THEN 'materialized view'
    WHEN 'f' THEN 'foreign table' ELSE 'partitioned table' END AS text FROM relations
UNION ALL SELECT relname, 'comment', obj_description(oid, 'pg_class') FROM relations
  WHERE obj_description(oid, 'pg_class') IS NOT NULL
UNION ALL SELECT relname, 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(adbin, adrelid),
    'COLLATE ' || (SELECT collname FROM pg_collation AS c WHERE c.oid = attcollation
      AND attcollation <> (SELECT typcollation FROM pg_type AS t WHERE t.oid = atttypid)))
  FROM relations AS r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL SELECT relname, 'comment on ' || attname, col_description(attrelid, attnum)
  FROM relations AS r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
  WHERE col_description(attrelid, attnum) IS NOT NULL
UNION ALL SELECT relname, 'constraint ' || conname, pg_get_constraintdef(c.oid)
  FROM relations AS r JOIN pg_constraint AS c ON conrelid = r.oid WHERE contype <> 'n'
UNION ALL SELECT r.relname, 'index ' || i.relname, concat_ws(' ', CASE WHEN indisunique THEN 'UNIQUE' END,
    CASE WHEN NOT indisvalid THEN 'INVALID' END, substring(pg_get_indexdef(indexrelid) FROM ' (USING .*)$'))
  FROM relations AS r JOIN pg_index ON indrelid = r.oid JOIN pg_class AS i ON i.oid = indexrelid
UNION ALL SELECT relname, 'trigger ' || tgname, pg_get_triggerdef(t.oid)
  FROM relations AS r JOIN pg_trigger AS t ON tgrelid = r.oid WHERE NOT tgisinternal
UNION ALL SELECT relname, 'rule ' || rulename, pg_get_ruledef(u.oid)
  FROM relations AS r JOIN pg_rewrite AS u ON ev_class = r.oid WHERE rulename <> '_RETURN'
UNION ALL SELECT relname, 'row level security', 'enabled' FROM relations WHERE relrowsecurity
UNION ALL SELECT relname, 'policy ' || polname, coalesce(pg_get_expr(polqual, polrelid), '')
  FROM relations AS r JOIN pg_policy ON polrelid = r.oid
UNION ALL SELECT relname, 'child ' || inhrelid::regclass, 'table' FROM relations AS r JOIN pg_inherits ON inhparent = r.oid`

/** Compares the tables, views and indexes of a schema with temporary ones made anew. */
export async function inspectPostgres(
  connection: Connection,
  { schema, tables }: { schema: string; tables: readonly ExportTable[] },
): Promise<Inspection> {
  const always = new Set(datasetTables([]).map(({ name }) => name))
  const unknown = tables.filter(({ name }) => !always.has(name))
  const twin = [
    createTables(),
    ...unknown.map(createTable),
    ...tables.flatMap((table) => [...indexesOf(table).values()]),
  ].join('\n')
  let found: Definition[] = []
  let expected: Definition[] = []
  let refusal: unknown
  await connection.query('BEGIN')
  try {
    // Before there are temporary tables, which come first in any path.
    const own = `(SELECT oid FROM pg_namespace WHERE nspname = current_schema())`
    await connection.query(`SET LOCAL search_path = ${quoteName(schema)}`)
    found = await connection.query<Definition>(catalogOf(own))
    await connection.query('SET LOCAL search_path = pg_temp')
    await connection.query(twin)
    expected = await connection.query<Definition>(catalogOf('pg_my_temp_schema()'))
  } catch (error) {
    refusal = error
  }
  await connection.query('ROLLBACK')
  const notCompared = [
    'the order of columns',
    'tables and views of others',
    'rights',
    'bytes in manifests',
  ]
  const indexes = new Set(expected.filter(isIndex).map(({ fact }) => fact))
  if (!refusal && !found.some(({ fact }) => indexes.has(fact))) {
    // As `--no-indexes` leaves it.
    expected = expected.filter((one) => !isIndex(one))
    notCompared.push('indexes, of which there are none')
  }
  const compared = refusal ? uncompared(found, refusal) : compareDefinitions(expected, found)
  const stray = await findStrayRows(
    tables.filter(({ name }) => compared.isReadable(name, '_archive')),
    {
      exported: 'SELECT name FROM _exports',
      engine: postgres,
      ask: (sql) => connection.query(sql),
    },
  )
  return {
    ...compared,
    tables,
    differences: [...compared.differences, ...stray],
    notCompared: [...compared.notCompared, ...notCompared],
  }
}

/** Whether a definition is that of an index that no constraint made. */
const isIndex = ({ table, fact }: Definition) => fact.startsWith('index ') && table !== '_exports'
