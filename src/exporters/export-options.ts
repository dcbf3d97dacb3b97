import {
  aFlag,
  aFunction,
  aSignal,
  aText,
  objectOf,
  oneOf,
  type Shapes,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { LIMIT_SHAPES } from '../base/limits.ts'
import { SELECTION_SHAPES, type Selection } from '../database/rows/selection.ts'
import type { ContentOptions } from './dataset/manifest.ts'
import { PARTITION_KEYS, type ServerOptions } from './exporter.ts'
import type { ArchiveReading } from './sources/archive-source.ts'

/** The formats of datasets in folders. */
export const FOLDER_FORMATS = ['parquet', 'ndjson', 'csv'] as const
export type FolderFormat = (typeof FOLDER_FORMATS)[number]

export const EXPORT_FORMATS = [...FOLDER_FORMATS, 'duckdb', 'postgres', 'clickhouse'] as const
/** The format of files, or the engine that holds the tables. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const COMPRESSIONS = ['zstd', 'snappy', 'gzip', 'none'] as const
/** How files are compressed; text only by `gzip`. */
export type Compression = (typeof COMPRESSIONS)[number]

/** The records to export, the format, and the credentials of the target. */
export interface ExportDataOptions extends ArchiveReading, ServerOptions {
  /** Default parquet. */
  format?: ExportFormat | undefined
  /** Name of the partition. Default: the name of the source without its ending. */
  as?: string | undefined
  /** Default zstd for Parquet, none for text. Text can be compressed with gzip only. */
  compression?: Compression | undefined
  /** Columns that follow from others. Default true. */
  derived?: boolean | undefined
  /** A column with the exact JSON text of each record. Default false. */
  raw?: boolean | undefined
  /** Keep spreadsheets from running texts of CSV as formulas: such a text begins with an apostrophe. Default false. */
  csvSafe?: boolean | undefined
  /** Only these records and those that they refer to. */
  selection?: Selection | undefined
  /** Write a partition even if it is there from the same source. */
  force?: boolean | undefined
  /** Wait for another process that writes the same partition. Default true. */
  wait?: boolean | undefined
}

export const EXPORT_SHAPES: Shapes<ExportDataOptions> = {
  limits: objectOf(LIMIT_SHAPES),
  selection: objectOf(SELECTION_SHAPES),
  format: oneOf(...EXPORT_FORMATS),
  as: aText,
  compression: oneOf(...COMPRESSIONS),
  derived: aFlag,
  raw: aFlag,
  csvSafe: aFlag,
  force: aFlag,
  wait: aFlag,
  schema: aText,
  shard: aText,
  indexes: aFlag,
  partitionBy: oneOf(...PARTITION_KEYS),
  user: aText,
  password: aText,
  s3: objectOf(
    {
      accessKeyId: aText,
      secretAccessKey: aText,
      sessionToken: aText,
      region: aText,
      endpoint: aText,
    },
    ['accessKeyId', 'secretAccessKey'],
  ),
  salvage: aFlag,
  report: aFunction,
  progress: aFunction,
  signal: aSignal,
}

/** Where a partition is removed from, and whether to wait for another process that writes it. */
export type RemoveOptions = Pick<
  ExportDataOptions,
  'format' | 'schema' | 'user' | 'password' | 's3' | 'wait' | 'signal'
>

const { format, schema, user, password, s3, wait, signal } = EXPORT_SHAPES
export const REMOVE_SHAPES: Shapes<RemoveOptions> = {
  format,
  schema,
  user,
  password,
  s3,
  wait,
  signal,
}

/** The options that change the content of a partition. Throws `option-invalid`. */
export function contentOf({
  format = 'parquet',
  compression,
  derived,
  raw,
  csvSafe,
  selection,
  shard,
}: ExportDataOptions): ContentOptions {
  const coding = compression ?? (format === 'parquet' ? 'zstd' : 'none')
  const isText = format === 'ndjson' || format === 'csv'
  const possible = isText ? ['none', 'gzip'] : ['none']
  if (format !== 'parquet' && !possible.includes(coding)) {
    throw new ArchiveError('option-invalid', `${format} cannot be compressed with ${coding}`)
  }
  if (csvSafe && format !== 'csv') {
    throw new ArchiveError('option-invalid', `csvSafe is for csv, not for ${format}`)
  }
  return {
    format: `${format} ${coding}`,
    ...(derived === false && { derived }),
    ...(raw === true && { raw }),
    ...(csvSafe === true && { csvSafe }),
    ...(shard !== undefined && { shard }),
    ...(selection && { selection: JSON.stringify(selection) }),
  }
}
