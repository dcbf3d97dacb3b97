import { basename, resolve } from 'node:path'
import type { ArchiveSource } from '../archive/entry.ts'
import { anArchiveSource } from '../archive/entry.ts'
import { anOpenDatabase, anyOf, aPath, checkArguments, checkOptions } from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'
import { isObject } from '../records/json/json.ts'
import { checkUnique, lockOf, openDataset, removeFiles } from './dataset/dataset.ts'
import { updateSchema } from './dataset/dataset-schema.ts'
import {
  type ContentOptions,
  isCurrent,
  manifestOf,
  readManifest,
  type TableSummary,
  writeManifest,
} from './dataset/manifest.ts'
import { checkName, partitionName } from './dataset/partition-name.ts'
import {
  type Compression,
  contentOf,
  EXPORT_SHAPES,
  type ExportDataOptions,
  endingOf,
  type FolderFormat,
} from './export-options.ts'
import type { PartitionWriter } from './exporter.ts'
import { openArchiveSource, openLoadedSource } from './sources/archive-source.ts'
import { openDatabaseSource } from './sources/database-source.ts'
import {
  type RecordSource,
  RepeatedRecord,
  type Sink,
  type SourceFacts,
} from './sources/record-source.ts'
import { type ExportTable, tableOfKind } from './table.ts'
import { openParquetPartition } from './targets/parquet.ts'
import { openCsvPartition, openNdjsonPartition } from './targets/text.ts'

/** What became of one partition. */
export interface ExportSummary {
  name: string
  /** `unchanged`: it was there from the same source, with the same options and version. */
  outcome: 'written' | 'unchanged'
  state: 'complete' | 'salvaged'
  tables: Record<string, TableSummary>
}

/**
 * Writes an archive or a database as one partition of a dataset in a folder. The partition is replaced as a whole, and
 * only if its source, the options or the version changed.
 *
 * @param source an open database, or an archive: its path, or bytes with a name
 * @param folder the folder of the dataset; made if it is not there
 * @param options the format, and what to write
 * @returns rows, bytes and SHA-256 by table
 * @throws `dataset-foreign`, `dataset-newer`, `partition-busy`, `option-invalid` for a name that no partition can have,
 *   `output-full`, `output-refused`, `interrupted`, and what `loadArchive` throws
 * @example
 * await exportData('acme-2026-10.tar.gz', 'lake', { format: 'parquet' })
 */
export async function exportData(
  source: Database | ArchiveSource,
  folder: string,
  options: ExportDataOptions = {},
): Promise<ExportSummary> {
  checkArguments(
    { source, folder },
    {
      source: anyOf('an open Database, or an archive', anOpenDatabase, anArchiveSource),
      folder: aPath,
    },
  )
  checkOptions(options, EXPORT_SHAPES)
  const name = options.as === undefined ? partitionName(nameOf(source)) : checkName(options.as)
  const content = contentOf(options)
  openDataset(folder)
  checkUnique(folder, name)
  const release = await lockOf(folder, name, options)
  try {
    const opened = await openSource(source, name, options)
    try {
      const summary = await exportPartition(opened, { folder, name, content, options, source })
      await updateSchema(folder, options)
      return summary
    } finally {
      opened.close()
    }
  } catch (error) {
    if (options.signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, error)
    throw error
  } finally {
    release()
  }
}

const isArchive = (source: Database | ArchiveSource): source is ArchiveSource =>
  typeof source === 'string' || 'bytes' in source

const nameOf = (source: Database | ArchiveSource): string =>
  basename(typeof source === 'string' ? resolve(source) : source.name)

function openSource(
  source: Database | ArchiveSource,
  name: string,
  options: ExportDataOptions,
): RecordSource | Promise<RecordSource> {
  if (!isArchive(source)) return openDatabaseSource(source, name, options)
  // A stream cannot be read again if a record turns up twice.
  return options.choice || typeof source !== 'string'
    ? openLoadedSource([source], name, options, options)
    : openArchiveSource(source, name, options)
}

async function exportPartition(
  source: RecordSource,
  job: {
    folder: string
    name: string
    content: ContentOptions
    options: ExportDataOptions
    source: Database | ArchiveSource
  },
): Promise<ExportSummary> {
  const { folder, name, content, options } = job
  const earlier = readManifest(folder, name)
  if (earlier?.source && !options.force) {
    const sha256 = await source.identify()
    if (sha256 !== undefined && isCurrent(earlier, sha256, content)) {
      return { name, outcome: 'unchanged', state: earlier.source.state, tables: earlier.tables }
    }
  }
  const done = await writePartition(source, job).catch(async (error: unknown) => {
    if (!(error instanceof RepeatedRecord) || !isArchive(job.source)) throw error
    const loaded = await openLoadedSource([job.source], name, options, options)
    try {
      return await writePartition(loaded, job)
    } finally {
      loaded.close()
    }
  })
  removeFiles(folder, name, endingOf(content))
  await writeManifest(folder, manifestOf(name, content, done))
  return { name, outcome: 'written', state: done.source.state, tables: done.tables }
}

async function writePartition(
  source: RecordSource,
  { folder, name, content, options }: Parameters<typeof exportPartition>[1],
): Promise<{ source: SourceFacts; newest: string | null; tables: Record<string, TableSummary> }> {
  const writer = await openWriter(folder, name, content)
  const tables = new Map<string, ExportTable>()
  const extra = new Map<string, TableSummary['extra']>()
  const newest = { time: '' }
  const sink: Sink = {
    async records(tableName, kind, records) {
      options.signal?.throwIfAborted()
      let table = tables.get(tableName)
      if (!table) {
        table = tableOfKind(tableName, kind, content)
        tables.set(tableName, table)
        extra.set(tableName, { rows: 0, members: {} })
      }
      const odd = extra.get(tableName) as TableSummary['extra']
      for (const placed of records) {
        noteNewest(newest, placed.record)
        const members = writer.addRecord(table, placed)
        if (members.length === 0) continue
        odd.rows++
        for (const member of members) odd.members[member] = (odd.members[member] ?? 0) + 1
      }
      await writer.ready?.()
    },
    async rows(listing, rows) {
      tables.set(listing.name, listing)
      for (const row of rows) writer.addRow(listing, row)
      await writer.ready?.()
    },
  }
  try {
    const facts = await source.read(sink)
    // Until now the partition is what it was before.
    await writeManifest(folder, manifestOf(name, content))
    const files = await writer.commit()
    const summaries = Object.entries(files).map(([table, file]): [string, TableSummary] => [
      table,
      {
        ...file,
        columns: (tables.get(table) as ExportTable).columns.map((column) => column.name),
        extra: extra.get(table) ?? { rows: 0, members: {} },
      },
    ])
    return { source: facts, newest: newest.time || null, tables: Object.fromEntries(summaries) }
  } catch (error) {
    await writer.abort()
    throw error
  }
}

function openWriter(
  folder: string,
  name: string,
  { format }: ContentOptions,
): PartitionWriter | Promise<PartitionWriter> {
  const [kind, compression] = format.split(' ') as [FolderFormat, Compression]
  if (kind === 'parquet') return openParquetPartition(folder, name, { compression })
  const gzip = compression === 'gzip'
  return kind === 'csv'
    ? openCsvPartition(folder, name, { gzip })
    : openNdjsonPartition(folder, name, { gzip })
}

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Keeps the latest time of any record: it tells which of two exports is newer. */
function noteNewest(newest: { time: string }, record: Parameters<typeof isObject>[0]): void {
  if (!isObject(record)) return
  for (const member of ['created_at', 'updated_at', 'closed_at']) {
    const time = record[member]
    if (typeof time === 'string' && time > newest.time && UTC.test(time)) newest.time = time
  }
}
