import { join } from 'node:path'
import { unknownKind } from '../../database/schema/unknown-kind.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { LISTINGS } from '../listings.ts'
import { type ExportTable, tableOfKind } from '../table.ts'
import { ENGINES, type Engine, type EngineName } from './engine.ts'
import { joinedViews } from './joined-views.ts'

/** Every table that a dataset can have: known kinds, listings, and the unknown kinds that it has. */
export function datasetTables(present: readonly string[]): ExportTable[] {
  const known: ExportTable[] = [
    ...Object.entries(KINDS).map(([name, kind]) => tableOfKind(name, kind, { raw: true })),
    ...LISTINGS,
  ]
  const names = new Set(known.map(({ name }) => name))
  const unknown = present.filter((name) => !names.has(name)).sort()
  return [...known, ...unknown.map((name) => tableOfKind(name, unknownKind(name), { raw: true }))]
}

/**
 * The statements that make a view for each table of a dataset, `archives`, `threads`, `timeline`, `people`, and
 * `latest_…` with the row of the newest archive for each URL. They depend only on the path and the tables, so every
 * writer makes the same ones.
 *
 * @param engine the engine that is to read the dataset
 * @param folder the absolute path of the dataset, or `s3://bucket/folder`
 * @param present the tables that have a file; the others become views without rows
 * @param url the address over HTTP of a dataset in an object store
 */
export function datasetViews(
  engine: EngineName,
  folder: string,
  present: readonly string[],
  url?: string,
): string {
  const own = DATASETS[engine]
  const place = { folder, url }
  const { quote } = ENGINES[engine]
  const tables = datasetTables(present)
  const there = new Set(present)
  const view = (name: string, select: string) => `${own.view} ${quote(name)} AS\n${select};`
  const joined = joinedViews(ENGINES[engine])
  const shown = shownTables(tables)
  return `${[
    `-- Views for ${ENGINES[engine].name} over the dataset ${oneLine(folder)}, written by marc.`,
    ...own.head,
    own.archives(place),
    ...shown.map(({ table, name }) =>
      there.has(table.name)
        ? own.table(name, table, place)
        : (own.empty?.(name, table) ??
          view(name, (own.nothing ?? selectNothing(ENGINES[engine]))(table))),
    ),
    ...joined.map(({ name, summary, select }) => `-- ${summary}\n${view(name, select)}`),
    ...shown
      .filter(({ table }) => table.kind)
      .map(({ table, name }) => view(`latest_${name}`, selectLatest(quote, table, name))),
  ].join('\n\n')}\n`
}

/** Tables with their names in engines: the table of an unknown kind may have that of a view. */
export const shownTables = (tables: readonly ExportTable[]) => {
  const joined = joinedViews(ENGINES.duckdb)
  const reserved = new Set([...joined.map(({ name }) => name), 'archives'])
  return tables.map((table) => ({
    table,
    name:
      reserved.has(table.name) || table.name.startsWith('latest_')
        ? `${table.name}_records`
        : table.name,
  }))
}

// A comment ends with its line.
const oneLine = (text: string) => JSON.stringify(text)

/** The dataset that views read, as their first line says; undefined if it does not. */
export const viewedFolder = (views: string): string | undefined =>
  /^-- Views for \w+ over the dataset (".*"), written by marc\.$/m.exec(views)?.[1]

const selectNothing =
  ({ quote, type }: Engine) =>
  ({ columns }: ExportTable): string =>
    `SELECT ${columns.map((column) => `CAST(NULL AS ${type(column.type)}) AS ${quote(column.name)}`).join(', ')}
FROM (SELECT 1 AS one) AS nothing WHERE 1 = 0`

/** The rows of a table from the newest archive that has their URL. */
export function selectLatest(
  quote: Engine['quote'],
  { columns }: ExportTable,
  name: string,
): string {
  const list = columns.map((column) => quote(column.name))
  // By name: a table of an older version has its columns in another order.
  return `SELECT ${list.join(', ')} FROM (
  SELECT ${list.map((column) => `o.${column}`).join(', ')}, row_number() OVER (
    PARTITION BY o.url ORDER BY coalesce(a.newest, '') DESC, o._archive DESC, o._record_number DESC) AS _rank
  FROM ${quote(name)} AS o LEFT JOIN archives AS a ON a.name = o._archive) AS ranked
WHERE _rank = 1 OR url IS NULL`
}

/** Where a dataset is: a folder, also one in an object store, which has an address as well. */
interface Place {
  readonly folder: string
  readonly url: string | undefined
}

/** Whether the folders below `kind=…` are the only ones that DuckDB takes for values of columns. */
const hasPlainPath = (folder: string) => !folder.includes('=')

const hiveOptions = (folder: string) =>
  hasPlainPath(folder)
    ? 'hive_partitioning = true, hive_types_autocast = false'
    : 'hive_partitioning = false'

/** The columns, with `_archive` from the name of the folder: DuckDB then opens the files of no other archive. */
const archiveByFolder = (folder: string) =>
  hasPlainPath(folder) ? `* REPLACE (coalesce(archive, 'null') AS _archive)` : '*'

/** How an engine reads a dataset. */
interface DatasetReader {
  /** The statement that begins a view. */
  readonly view: string
  readonly head: readonly string[]
  /** The manifests: name, state, and the newest time in any record as text. */
  archives(place: Place): string
  table(name: string, table: ExportTable, place: Place): string
  /** A SELECT with the columns of a table and no rows. Default: typed NULLs. */
  nothing?(table: ExportTable): string
  /** Makes a table without rows. Default: a view of that SELECT. */
  empty?(name: string, table: ExportTable): string
}

const within = (folder: string, path: string) =>
  /^\w+:\/\//.test(folder) ? `${folder}/${path}` : join(folder, path)

const fileOf = (folder: string, { name }: ExportTable, between = 'archive=*/data.parquet') =>
  within(folder, `kind=${name}/${between}`)

/** A function of ClickHouse with the place that it reads. */
const readBy = ({ folder, url }: Place, path: string) =>
  url === undefined
    ? `file(${ENGINES.clickhouse.text(within(folder, path))}`
    : `s3(${ENGINES.clickhouse.text(within(url, path))}`

/** Hadoop's client for object stores uses the scheme s3a. */
const hadoop = (folder: string) => folder.replace(/^s3:/, 's3a:')

const declare = ({ quote, type }: Engine, { columns }: ExportTable, indent = '  ') =>
  columns.map((column) => `${indent}${quote(column.name)} ${type(column.type)}`).join(',\n')

/** A path as a pattern of DuckDB that only it matches: in brackets, a character stands for itself. */
export const plainGlob = (path: string) => path.replace(/[*?[]/g, '[$&]')

const DATASETS: Readonly<Record<EngineName, DatasetReader>> = {
  duckdb: {
    view: 'CREATE OR REPLACE VIEW',
    head: [],
    archives: ({ folder }) => {
      const files = ENGINES.duckdb.text(within(plainGlob(folder), '_marc/archives/*.json'))
      return `CREATE OR REPLACE VIEW archives AS
SELECT name, state, source.newest AS newest
FROM read_json(${files}, format = 'newline_delimited',
  columns = {name: 'VARCHAR', state: 'VARCHAR', source: 'STRUCT(newest VARCHAR)'});`
    },
    // Files of other versions, or without derived columns, have fewer columns.
    table: (name, table, { folder }) => {
      const { quote, text } = ENGINES.duckdb
      const columns = table.columns.map((column) => quote(column.name)).join(', ')
      const file = fileOf(plainGlob(folder), table)
      return `CREATE OR REPLACE VIEW ${quote(name)} AS SELECT ${columns} FROM (
SELECT ${archiveByFolder(folder)} FROM read_parquet(${text(file)}, union_by_name = true, ${hiveOptions(folder)})
UNION ALL BY NAME
${selectNothing(ENGINES.duckdb)(table)});`
    },
  },
  clickhouse: {
    view: 'CREATE OR REPLACE VIEW',
    head: [],
    archives: (place) => {
      const structure = ENGINES.clickhouse.text('name String, state String, source String')
      return `CREATE OR REPLACE VIEW archives AS
SELECT name, state, JSONExtract(source, 'newest', 'Nullable(String)') AS newest
FROM ${readBy(place, '_marc/archives/*.json')}, 'JSONEachRow', ${structure})
SETTINGS input_format_json_read_objects_as_strings = 1, input_format_skip_unknown_fields = 1;`
    },
    table: (name, table, place) => {
      const { quote, text } = ENGINES.clickhouse
      const structure = declare(ENGINES.clickhouse, table, '').replaceAll('\n', ' ')
      return `CREATE OR REPLACE VIEW ${quote(name)} AS
SELECT * FROM ${readBy(place, fileOf('', table))}, 'Parquet', ${text(structure)})
SETTINGS input_format_parquet_allow_missing_columns = 1, use_hive_partitioning = 0;`
    },
    // There is no NULL of a list or tuple.
    nothing: (table) => {
      const structure = declare(ENGINES.clickhouse, table, '').replaceAll('\n', ' ')
      return `SELECT * FROM null(${ENGINES.clickhouse.text(structure)})`
    },
  },
  spark: {
    view: 'CREATE OR REPLACE TEMPORARY VIEW',
    head: [],
    archives: ({ folder }) => `CREATE OR REPLACE TEMPORARY VIEW archive_manifests
(name STRING, state STRING, source STRUCT<newest: STRING>)
USING json OPTIONS (path ${ENGINES.spark.text(within(hadoop(folder), '_marc/archives'))}, pathGlobFilter '*.json');

CREATE OR REPLACE TEMPORARY VIEW archives AS
SELECT name, state, source.newest AS newest FROM archive_manifests;`,
    table: (name, table, { folder }) => {
      const { quote, text } = ENGINES.spark
      return `CREATE OR REPLACE TEMPORARY VIEW ${quote(name)} (
${declare(ENGINES.spark, table)}
) USING parquet OPTIONS (path ${text(fileOf(hadoop(folder), table, 'archive=*'))}, pathGlobFilter '*.parquet');`
    },
  },
  bigquery: {
    view: 'CREATE OR REPLACE VIEW',
    head: [
      '-- Copy the dataset to a bucket, name the bucket below, and run this with a default dataset.',
      "DECLARE lake STRING DEFAULT 'gs://bucket/lake';",
    ],
    archives: () => `EXECUTE IMMEDIATE FORMAT("""
CREATE OR REPLACE EXTERNAL TABLE archive_manifests
(name STRING, state STRING, source STRUCT<newest STRING>)
OPTIONS (format = 'JSON', ignore_unknown_values = true, uris = ['%s/_marc/archives/*.json'])""", lake);

CREATE OR REPLACE VIEW archives AS
SELECT name, state, source.newest AS newest FROM archive_manifests;`,
    table: (name, table) => {
      const { quote } = ENGINES.bigquery
      return `EXECUTE IMMEDIATE FORMAT("""
CREATE OR REPLACE EXTERNAL TABLE ${quote(name)} (
${declare(ENGINES.bigquery, table)}
)
OPTIONS (format = 'PARQUET', enable_list_inference = true, uris = ['%s/kind=${table.name}/*.parquet'])""", lake);`
    },
  },
  snowflake: {
    view: 'CREATE OR REPLACE VIEW',
    head: [
      `-- Copy the dataset to a bucket, make a stage for it, and run this in a schema of its own:
-- CREATE STAGE lake URL = 's3://bucket/lake' STORAGE_INTEGRATION = my_integration;`,
    ],
    archives: () => `CREATE OR REPLACE TABLE archive_manifests (manifest VARIANT);
COPY INTO archive_manifests FROM @lake/_marc/archives/
FILE_FORMAT = (TYPE = JSON) PATTERN = '.*[.]json';

CREATE OR REPLACE VIEW archives AS
SELECT manifest:name::VARCHAR AS name, manifest:state::VARCHAR AS state,
  manifest:source.newest::VARCHAR AS newest FROM archive_manifests;`,
    table: (name, table) => `${createInSnowflake(name, table)}
COPY INTO ${ENGINES.snowflake.quote(name)} FROM @lake/kind=${table.name}/
FILE_FORMAT = (TYPE = PARQUET USE_VECTORIZED_SCANNER = TRUE)
MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE PATTERN = '.*/data[.]parquet';`,
    // A view could not be replaced by a table later.
    empty: createInSnowflake,
  },
}

function createInSnowflake(name: string, table: ExportTable): string {
  const declared = declare(ENGINES.snowflake, table)
  return `CREATE OR REPLACE TABLE ${ENGINES.snowflake.quote(name)} (\n${declared}\n);`
}
