import type { Dialect } from './dialect.ts'
import { CLICKHOUSE_DIALECT, POSTGRES_DIALECT } from './dialect.ts'
import type { ExportFormat } from './export-options.ts'
import type { Target, TargetOptions } from './exporter.ts'
import { openClickHouseTarget } from './targets/clickhouse/clickhouse.ts'
import { openDuckDbTarget } from './targets/duckdb/duckdb.ts'
import { openFolderTarget } from './targets/folder.ts'
import { openPostgresTarget } from './targets/postgres/postgres.ts'
import { isStore } from './targets/s3/place.ts'
import { openS3Target } from './targets/s3/s3.ts'

interface Exporter {
  /** A description of the target, for people. */
  readonly summary: string
  /** Opens the target at a place: a folder, also in an object store, a file, or the URL of a server. */
  open(place: string, options: TargetOptions): Target | Promise<Target>
  /** The values that it cannot hold. Default: none. */
  readonly dialect?: Dialect
}

const openFiles: Exporter['open'] = (place, options) =>
  isStore(place) ? openS3Target(place, options) : openFolderTarget(place, options)

/** THE TABLE of targets. Each keeps the same promises, which test/exporters/exporters.test.ts asks of all of them. */
export const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  parquet: { summary: 'a dataset of Parquet files', open: openFiles },
  ndjson: { summary: 'a dataset of NDJSON files', open: openFiles },
  csv: { summary: 'a dataset of CSV files', open: openFiles },
  duckdb: { summary: 'a DuckDB file', open: openDuckDbTarget },
  postgres: {
    summary: 'a schema of a PostgreSQL server',
    open: openPostgresTarget,
    dialect: POSTGRES_DIALECT,
  },
  clickhouse: {
    summary: 'a database of a ClickHouse server',
    open: openClickHouseTarget,
    dialect: CLICKHOUSE_DIALECT,
  },
}
