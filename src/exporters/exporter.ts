import type { ScannedRecords } from '../records/canonical/read-canonical.ts'
import type { ContentOptions, FileSummary, Manifest } from './dataset/manifest.ts'
import type { Inspection } from './read-back/definitions.ts'
import type { TableReader } from './read-back/table-reader.ts'
import type { PositionedRecord } from './sources/record-source.ts'
import type { ExportRow, ExportTable, TableFacts } from './table.ts'

/** Writes one partition into a target: all of it at `commit`, or nothing. */
export interface PartitionWriter {
  /** Returns the names of the members that are in `_extra`. */
  addRecord(table: ExportTable, record: PositionedRecord): readonly string[]
  /**
   * Adds one of the canonical records of a file without parsing it. Returns false if its columns would not give all of it
   * back: then `addRecord` has to add it. A target without columns of bytes does not have this.
   */
  addScanned?(table: ExportTable, records: ScannedRecords, record: number, entry: string): boolean
  addRow(table: ExportTable, row: ExportRow): void
  /** Resolves when the target can take more, so that memory stays bounded. */
  ready?(): Promise<void>
  /**
   * Publishes the tables in place of those of an earlier export, with the manifest that `describe` makes of them, now or
   * together with others. Returns the manifest.
   */
  commit(describe: (tables: Readonly<Record<string, FileSummary>>) => Manifest): Promise<Manifest>
  abort(): Promise<void>
}

export interface LockOptions {
  /** Wait for another process that writes the same partition. Default true. */
  wait?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Where partitions are written: a folder, or a schema of a server. */
export interface Target {
  /** Takes the lock of a partition. Returns what releases it. Throws `partition-busy`, `interrupted`. */
  lock(name: string, options: LockOptions): Promise<() => void | Promise<void>>
  /** The manifest of a partition; undefined if there is none. Throws `dataset-newer`. */
  readManifest(name: string): Promise<Manifest | undefined>
  openPartition(name: string, content: ContentOptions): Promise<PartitionWriter>
  /** Publishes the partitions that were committed and wait. A target without this has none. */
  publish?(): Promise<void>
  /** The names of the partitions that wait, or that were lost when they were to be published. */
  waiting?(): string[]
  /** The names of all partitions. */
  names(): Promise<string[]>
  /** Size and SHA-256 of each file of a partition; an engine counts the rows of `tables`. */
  survey(name: string, tables: readonly ExportTable[]): Promise<Map<string, TableFacts>>
  /** Compares tables, views, and files or rows that belong to none of its partitions, with what they have to be. */
  inspect(names: readonly string[]): Promise<Inspection>
  /** Reads the values of a partition, for a comparison with its source. */
  read(name: string): TableReader
  /** Finishes what follows from all partitions, such as views and indexes, also after an earlier run was killed. */
  settle(options: LockOptions): Promise<void>
  /** Removes a partition. Returns false if there is none. */
  remove(name: string): Promise<boolean>
  close(): Promise<void>
}

/** The column by which ClickHouse partitions its tables. It cannot change once they exist. */
export const PARTITION_KEYS = ['archive', 'shard'] as const
export type PartitionKey = (typeof PARTITION_KEYS)[number]

/** The credentials and the address of an object store. */
export interface StoreOptions {
  /** The id of the access key. */
  accessKeyId: string
  /** The secret of the access key. It signs requests and is never sent. */
  secretAccessKey: string
  /** Only temporary credentials have one. */
  sessionToken?: string | undefined
  /** Default us-east-1. */
  region?: string | undefined
  /** The address of a store other than Amazon's, such as `https://minio.example.org`. */
  endpoint?: string | undefined
}

/** The tables at a server, and the credentials for it. */
export interface ServerOptions {
  /** The schema or database at a server. Default marc. */
  schema?: string | undefined
  /** The value of `_shard` in each row at a server. */
  shard?: string | undefined
  /** Make indexes in PostgreSQL. Default true. */
  indexes?: boolean | undefined
  /** The key by which new tables of ClickHouse are partitioned. Default archive. */
  partitionBy?: PartitionKey | undefined
  /** Who asks a ClickHouse server, if its URL does not say so. */
  user?: string | undefined
  /** The password of that user. */
  password?: string | undefined
  /** Who asks an object store, for a place such as `s3://bucket/folder`. */
  s3?: StoreOptions | undefined
}

/** The options of a function that opens a target. */
export interface TargetOptions extends ServerOptions {
  /** Throw `dataset-foreign` rather than make a target that is not there. Default false. */
  existing?: boolean | undefined
  /** Throw `dataset-foreign` for a folder with files of another format. Default: take any. */
  format?: string | undefined
  /** Leave tables and views as they are, also those of an older version. Default false. */
  readOnly?: boolean | undefined
  /** Ends a wait for another process that has the target open. */
  signal?: AbortSignal | undefined
}
