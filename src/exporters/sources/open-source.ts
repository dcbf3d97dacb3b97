import { basename, resolve } from 'node:path'
import type { ArchiveSource } from '../../archive/entry.ts'
import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { type ArchiveReading, openArchiveSource, openLoadedSource } from './archive-source.ts'
import { type DatabaseSourceOptions, openDatabaseSource } from './database-source.ts'
import { type RecordSource, RepeatedRecord } from './record-source.ts'

/** The source of an export: an open database, an archive, or several archives that become one partition. */
export type ExportDataSource = Database | ArchiveSource | readonly ArchiveSource[]

export interface SourceOptions extends ArchiveReading, DatabaseSourceOptions {}

/**
 * The name of a source, which is also that of its partition. Throws `option-invalid` for several archives, which have
 * none.
 */
export function sourceNameOf(source: ExportDataSource): string {
  if (!isList(source)) return basename(typeof source === 'string' ? resolve(source) : source.name)
  const [first] = source
  if (!first || source.length > 1) {
    throw new ArchiveError('option-invalid', 'a partition of several archives needs a name')
  }
  return sourceNameOf(first)
}

/** Opens a source for a partition. */
export function openSource(
  source: ExportDataSource,
  name: string,
  options: SourceOptions,
): RecordSource {
  if (isDatabase(source)) return openDatabaseSource(source, name, options)
  const archives = archivesIn(source)
  const [first] = archives
  // A stream cannot be read again if a record turns up twice.
  return options.selection || archives.length !== 1 || typeof first !== 'string'
    ? openLoadedSource(archives, name, options, options)
    : openArchiveSource(first, name, options)
}

/**
 * Reads an opened source with `work`. If a record occurs twice, loads the source into a database and reads it again,
 * because only a database can find out which of the two counts.
 */
export async function readOnceOrLoaded<T>(
  opened: RecordSource,
  { source, name, options }: { source: ExportDataSource; name: string; options: SourceOptions },
  work: (from: RecordSource) => Promise<T>,
): Promise<T> {
  try {
    return await work(opened)
  } catch (error) {
    if (!(error instanceof RepeatedRecord) || isDatabase(source)) throw error
  }
  const loaded = openLoadedSource(archivesIn(source), name, options, options)
  try {
    return await work(loaded)
  } finally {
    loaded.close()
  }
}

const isList = (source: ExportDataSource): source is readonly ArchiveSource[] =>
  Array.isArray(source)

const isDatabase = (source: ExportDataSource): source is Database =>
  typeof source !== 'string' && !isList(source) && !('bytes' in source)

const archivesIn = (source: Exclude<ExportDataSource, Database>): readonly ArchiveSource[] =>
  isList(source) ? source : [source]
