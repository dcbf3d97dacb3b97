import { anArchiveSource } from '../archive/entry.ts'
import {
  anOpenDatabase,
  anyOf,
  aPath,
  aText,
  checkArguments,
  checkOptions,
  listOf,
} from '../base/check-arguments.ts'
import { orInterrupted, throwIfInterrupted } from '../base/errors.ts'
import { isCurrent, type TableSummary } from './dataset/manifest.ts'
import { checkName, checkNewName, partitionName } from './dataset/partition-name.ts'
import {
  contentOf,
  EXPORT_SHAPES,
  type ExportDataOptions,
  REMOVE_SHAPES,
  type RemoveOptions,
} from './export-options.ts'
import type { Target } from './exporter.ts'
import { EXPORTERS } from './exporters.ts'
import {
  type ExportDataSource,
  openSource,
  readOnceOrLoaded,
  sourceNameOf,
} from './sources/open-source.ts'
import type { RecordSource } from './sources/record-source.ts'
import { type PartitionJob, writePartition } from './write-partition.ts'

export type { ExportDataSource }

/** The result of exporting one partition. */
export interface ExportSummary {
  /** The name of the partition. */
  name: string
  /** `unchanged`: it was there from the same source, with the same options and version. */
  outcome: 'written' | 'unchanged'
  /** Whether all of the source was read, or only what could be salvaged. */
  state: 'complete' | 'salvaged'
  /** The tables of the partition by name. */
  tables: Record<string, TableSummary>
}

/**
 * Writes an archive or a database as one partition of a target. The partition is replaced as a whole, and only if its
 * source, the options or the version changed.
 *
 * @param source an open database, or an archive: its path, or bytes with a name; of several archives a later one wins
 *   where both have a record
 * @param place the folder of a dataset, also as `s3://bucket/folder`, a DuckDB file, or the URL of a server; made if it is not there
 * @param options the format, and what to write
 * @returns rows, bytes and SHA-256 by table
 * @throws `dataset-foreign`, `dataset-newer`, `partition-busy`, `option-invalid` for a name that no partition can have,
 *   `records-not-found` for a selection without records, `package-missing` and `target-failed` for engines and stores,
 *   `output-full`, `output-refused`, `interrupted`, and what `loadArchive` throws
 * @example
 * await exportData('acme-2026-10.tar.gz', 'lake', { format: 'parquet' })
 */
export async function exportData(
  source: ExportDataSource,
  place: string,
  options: ExportDataOptions = {},
): Promise<ExportSummary> {
  checkArguments(
    { source, place },
    {
      source: anyOf(
        'an open Database, an archive, or several',
        anOpenDatabase,
        anArchiveSource,
        listOf(anArchiveSource),
      ),
      place: aPath,
    },
  )
  checkOptions(options, EXPORT_SHAPES)
  return exportWith(place, options, ({ add }) => add(source, options))
}

/** A target that is open for several sources. */
export interface ExportRun {
  /** Writes a source as a partition. The options are those of the run, but for name and selection. */
  add(
    source: ExportDataSource,
    options: Pick<ExportDataOptions, 'as' | 'selection'>,
  ): Promise<ExportSummary>
  /** The names of partitions that are in the target only when the run ends. */
  waiting(): string[]
}

/** Opens a target once for all sources that `work` adds. Throws what `exportData` throws. */
export async function exportWith<T>(
  place: string,
  options: ExportDataOptions,
  work: (run: ExportRun) => Promise<T>,
): Promise<T> {
  const { format = 'parquet' } = options
  const target = await EXPORTERS[format].open(place, {
    format,
    schema: options.schema,
    shard: options.shard,
    signal: options.signal,
    indexes: options.indexes,
    partitionBy: options.partitionBy,
    user: options.user,
    password: options.password,
    s3: options.s3,
  })
  try {
    try {
      return await work({
        add: (source, unitOptions) => addSource(source, target, { ...options, ...unitOptions }),
        waiting: () => target.waiting?.() ?? [],
      })
    } finally {
      if (!options.signal?.aborted) await target.publish?.()
    }
  } catch (error) {
    throw orInterrupted(error, options.signal)
  } finally {
    await target.close()
  }
}

async function addSource(
  source: ExportDataSource,
  target: Target,
  options: ExportDataOptions,
): Promise<ExportSummary> {
  const name =
    options.as === undefined ? partitionName(sourceNameOf(source)) : checkName(options.as)
  checkNewName(name)
  const content = contentOf(options)
  const release = await target.lock(name, options)
  try {
    const opened = openSource(source, name, options)
    try {
      const summary = await exportPartition(opened, { target, name, content, options, source })
      await target.settle(options)
      return summary
    } finally {
      opened.close()
    }
  } finally {
    await release()
  }
}

/**
 * Removes a partition from a target.
 *
 * @param place the folder of a dataset, a DuckDB file, or the URL of a server
 * @param name the name of the partition
 * @param options the format, and as whom to write
 * @returns false if there is none
 * @throws `dataset-foreign`, `dataset-newer`, `partition-busy`, `package-missing`, `target-failed`, `output-full`,
 *   `output-refused`, `interrupted` or `option-invalid`
 * @example
 * await removePartition('lake', 'acme-2026-10')
 */
export async function removePartition(
  place: string,
  name: string,
  options: RemoveOptions = {},
): Promise<boolean> {
  checkArguments({ place, name }, { place: aPath, name: aText })
  checkOptions(options, REMOVE_SHAPES)
  checkName(name)
  const { schema, user, password, s3, signal } = options
  throwIfInterrupted(signal)
  const opening = { existing: true, schema, user, password, s3, signal }
  const target = await EXPORTERS[options.format ?? 'parquet'].open(place, opening)
  try {
    if (!(await target.readManifest(name))) return false
    const release = await target.lock(name, options)
    try {
      const found = await target.remove(name)
      await target.settle(options)
      return found
    } finally {
      await release()
    }
  } catch (error) {
    throw orInterrupted(error, signal)
  } finally {
    await target.close()
  }
}

interface ExportJob extends PartitionJob {
  target: Target
  options: ExportDataOptions
  source: ExportDataSource
}

async function exportPartition(source: RecordSource, job: ExportJob): Promise<ExportSummary> {
  const { target, name, content, options } = job
  const earlier = options.force ? undefined : await target.readManifest(name)
  if (earlier?.source) {
    const sha256 = await source.identify()
    if (sha256 !== undefined && isCurrent(earlier, sha256, content)) {
      return { name, outcome: 'unchanged', state: earlier.source.state, tables: earlier.tables }
    }
  }
  const done = await readOnceOrLoaded(source, job, (from) => writePartition(from, job))
  const state = done.source?.state ?? 'complete'
  return { name, outcome: 'written', state, tables: done.tables }
}
