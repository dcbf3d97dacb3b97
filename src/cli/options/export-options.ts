import { ENGINE_NAMES } from '../../exporters/ddl/engine.ts'
import { COMPRESSIONS, type ExportFormat } from '../../exporters/export-options.ts'
import { PARTITION_KEYS } from '../../exporters/exporter.ts'
import { withoutPassword as clickhouse } from '../../exporters/targets/clickhouse/connection.ts'
import { withoutPassword as postgres } from '../../exporters/targets/postgres/connection.ts'
import { isStore, withoutPassword as withoutKeys } from '../../exporters/targets/s3/place.ts'
import type { OptionTable, Values } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { READING_OPTIONS } from './reading-options.ts'
import { SELECTION_OPTIONS } from './selection-options.ts'
import { QUIET_OPTION } from './shared-options.ts'

const GROUP = { type: 'string', group: 'Targets, exactly one:' } as const

/** The targets of an export: a folder, a file, or a server. */
const TARGET_OPTIONS = {
  parquet: {
    ...GROUP,
    value: '<folder>',
    describe:
      'A dataset of Parquet files, for DuckDB, Spark, Trino, ClickHouse, BigQuery, pandas; or s3://bucket/folder, which needs @aws-sdk/client-s3',
  },
  ndjson: {
    ...GROUP,
    value: '<folder>',
    describe:
      'An NDJSON file for each table: a line for each record, as in the archive; also in s3://',
  },
  csv: {
    ...GROUP,
    value: '<folder>',
    describe: 'A CSV file for each table, with lists as JSON; also in s3://',
  },
  duckdb: {
    ...GROUP,
    value: '<file>',
    describe:
      'A DuckDB file; needs @duckdb/node-api, and for many long texts up to half of the memory',
  },
  postgres: {
    ...GROUP,
    value: '<url>',
    describe: 'A schema of a PostgreSQL server; needs pg and pg-copy-streams',
  },
  clickhouse: {
    ...GROUP,
    value: '<url>',
    describe: 'A database of a ClickHouse server, over HTTP',
  },
} as const satisfies Record<ExportFormat, object>

/** The options of an export. */
export const EXPORT_OPTIONS = {
  ...TARGET_OPTIONS,
  markdown: {
    ...GROUP,
    value: '<folder>',
    describe:
      'A Markdown file for each thread and person, with uploads, of all sources together; again, it writes only what changed',
  },
  as: {
    type: 'string',
    value: '<name>',
    describe: "Name of the partition [the source's name, without its ending]",
  },
  raw: {
    type: 'boolean',
    describe: 'Add the column _record: the exact JSON text of each record',
  },
  derived: {
    type: 'boolean',
    default: true,
    describe: 'Leave out columns that are derived from others, such as number and state',
  },
  compression: {
    choices: COMPRESSIONS,
    value: '<codec>',
    describe: 'Compression [zstd for Parquet, none for text]',
  },
  'csv-safe': {
    type: 'boolean',
    describe: 'Keep spreadsheets from running texts of --csv as formulas',
  },
  ddl: {
    type: 'boolean',
    describe: 'Print the SQL of views or tables at the target, and stop',
    alone: true,
  },
  engine: {
    choices: ENGINE_NAMES,
    default: 'duckdb',
    value: '<name>',
    describe: 'The engine for which --ddl prints SQL, for a Parquet dataset',
  },
  schema: { type: 'string', value: '<name>', describe: 'Schema or database at the server [marc]' },
  shard: {
    type: 'string',
    value: '<name>',
    describe: 'Value of the column _shard, which tells several servers apart [none]',
  },
  'partition-by': {
    choices: PARTITION_KEYS,
    value: '<key>',
    describe: 'Partition new tables of ClickHouse by archive or by shard [archive]',
  },
  indexes: {
    type: 'boolean',
    default: true,
    describe: 'Make no indexes in PostgreSQL',
  },
  shards: {
    type: 'string',
    value: '<list>',
    describe: 'With --ddl: SQL for a server in front of the shards s1=host1,s2=host2',
  },
  together: {
    type: 'boolean',
    describe: 'Make one partition of all archives; of equal records, the last wins',
  },
  jobs: {
    type: 'string',
    value: '<number>',
    describe: 'Export archives in this many processes; a DuckDB file takes one [1]',
  },
  verify: {
    type: 'boolean',
    describe: 'Compare the target with the sources, or with its manifests if no source is named',
    alone: true,
  },
  remove: { type: 'string', value: '<name>', describe: 'Remove a partition', alone: true },
  wait: {
    type: 'boolean',
    default: true,
    describe: 'Fail at once if another process writes the same partition',
  },
  force: { type: 'boolean', describe: 'Write partitions again even if they are up to date' },
  salvage: {
    type: 'boolean',
    describe: 'Export what is readable of a damaged archive, and exit with 5',
  },
  json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
  ...SELECTION_OPTIONS,
  ...READING_OPTIONS,
  quiet: {
    ...QUIET_OPTION,
    describe: 'Show no progress and no summary; --json still prints one',
  },
} as const satisfies OptionTable

export interface NamedTarget {
  readonly format: ExportFormat
  /** A folder, a file, or the URL of a server. */
  readonly place: string
  /** The same without a password. */
  readonly shown: string
  /** The command line has a password, where others can see it. */
  readonly tellsPassword: boolean
  readonly schema: string | undefined
}

/** Targets that are servers: how to show their URLs, and where else a password can be. */
export const SERVERS: Partial<
  Record<ExportFormat, { withoutPassword(url: string): string; passwords: string }>
> = {
  postgres: { withoutPassword: postgres, passwords: 'PGPASSWORD or ~/.pgpass' },
  clickhouse: { withoutPassword: clickhouse, passwords: 'CLICKHOUSE_PASSWORD' },
}

/** The one target that the command line names. Throws `UsageError`. */
export function targetOf(
  options: Readonly<
    Partial<Record<ExportFormat | 'schema' | 'shard' | 'partition-by', string | undefined>>
  > & { readonly indexes?: boolean | undefined; readonly 'csv-safe'?: boolean | undefined },
): NamedTarget {
  const formats = Object.keys(TARGET_OPTIONS) as ExportFormat[]
  const [format, second] = formats.filter((format) => options[format] !== undefined)
  if (!format || second) {
    throw new UsageError(
      format ? 'expected one target, found two' : 'expected a target, found none',
      `Name one of ${[...formats, 'markdown'].map((name) => `--${name}`).join(', ')}.`,
    )
  }
  const server = SERVERS[format]
  if (options.schema !== undefined && !server) {
    throw new UsageError('--schema needs --postgres or --clickhouse')
  }
  if (options.shard !== undefined && !server) {
    throw new UsageError('--shard needs --postgres or --clickhouse')
  }
  if (options['partition-by'] !== undefined && format !== 'clickhouse') {
    throw new UsageError('--partition-by needs --clickhouse')
  }
  if (options['csv-safe'] && format !== 'csv') throw new UsageError('--csv-safe needs --csv')
  if (options.indexes === false && format !== 'postgres') {
    throw new UsageError('--no-indexes needs --postgres')
  }
  const place = options[format] as string
  if (place === '-') throw new UsageError(`--${format} cannot write to standard output`)
  const show =
    server?.withoutPassword ?? ((text: string) => (isStore(text) ? withoutKeys(text) : text))
  const shown = show(place)
  const tellsPassword = shown.includes('***') && shown !== place
  return { format, place, shown, tellsPassword, schema: options.schema }
}

/** Options that an export as Markdown takes. */
const OF_MARKDOWN: ReadonlySet<string> = new Set([
  'markdown',
  'json',
  'quiet',
  'verbose',
  ...Object.keys(SELECTION_OPTIONS),
])

/** The folder of an export as Markdown; undefined for another target. Throws `UsageError` for an option that it does not take. */
export function markdownFolder(options: Values<typeof EXPORT_OPTIONS>): string | undefined {
  const { markdown } = options
  if (markdown === undefined) return undefined
  if (markdown === '-') throw new UsageError('--markdown cannot write to standard output')
  const table: OptionTable = EXPORT_OPTIONS
  const values: Readonly<Record<string, unknown>> = options
  for (const [name, { default: standard }] of Object.entries(table)) {
    if (OF_MARKDOWN.has(name) || values[name] === undefined || values[name] === standard) continue
    const option = standard === true ? `--no-${name}` : `--${name}`
    throw new UsageError(
      `--markdown cannot be combined with ${option}`,
      'It takes a selection, such as --repo or --since.',
    )
  }
  return markdown
}

/** Who asks a ClickHouse server or an object store; PostgreSQL's driver has its own variables. */
export const credentialsIn = ({ env }: Io) => ({
  user: env.CLICKHOUSE_USER,
  password: env.CLICKHOUSE_PASSWORD,
  ...(env.AWS_ACCESS_KEY_ID &&
    env.AWS_SECRET_ACCESS_KEY && {
      s3: {
        accessKeyId: env.AWS_ACCESS_KEY_ID,
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
        sessionToken: env.AWS_SESSION_TOKEN || undefined,
        region: env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined,
        endpoint: env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined,
      },
    }),
})
