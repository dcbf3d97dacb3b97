import { basename, resolve } from 'node:path'
import { hasSelection } from '../../database/rows/selection.ts'
import { partitionName } from '../../exporters/dataset/partition-name.ts'
import {
  type ExportDataSource,
  type ExportRun,
  type ExportSummary,
  exportData,
  exportWith,
} from '../../exporters/export-data.ts'
import type { ExportDataOptions } from '../../exporters/export-options.ts'
import { isDatabase } from '../../files/is-database.ts'
import type { Values } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { credentialsIn, type EXPORT_OPTIONS, type NamedTarget } from '../options/export-options.ts'
import { limitsOf, sourceOf } from '../options/reading-options.ts'
import { selectionOf } from '../options/selection-options.ts'
import { inSource, openReadable } from '../sources/open-readable.ts'
import { resolveSelection } from './resolve-selection.ts'

/** Opens what becomes one partition. A database has to be asked for what a selection names. */
export async function withSource<T>(
  unit: readonly string[],
  {
    as,
    selection,
    timeout,
  }: Pick<ExportDataOptions, 'as' | 'selection'> & { timeout?: string | undefined },
  io: Io,
  use: (
    source: ExportDataSource,
    unitOptions: Pick<ExportDataOptions, 'as' | 'selection'>,
  ) => Promise<T>,
): Promise<T> {
  const [named = '', ...others] = unit
  if (others.length > 0) {
    if (io.foreign) {
      const hint = 'Load each with marc load, and name the databases.'
      throw new UsageError('options of backups and exports are for one source', hint)
    }
    return use(await Promise.all(unit.map((one) => sourceOf(one, io))), { as })
  }
  if (named === '-' && as === undefined) {
    throw new UsageError('the partition needs a name', 'Name it with --as.')
  }
  if (!selection && !io.foreign && (named === '-' || !(await isDatabase(named)))) {
    return use(await sourceOf(named, io), { as })
  }
  const database = await openReadable(named, io, { contents: 'none', writes: true })
  try {
    return await use(database, {
      as: as ?? partitionName(basename(resolve(named))),
      ...(selection && { selection: await resolveSelection(database, selection, { timeout, io }) }),
    })
  } catch (error) {
    throw inSource(error, database, named)
  } finally {
    database.close()
  }
}

/** The options of `marc export`, as they were parsed. */
export type ExportCommandOptions = Values<typeof EXPORT_OPTIONS>

type Place = Pick<NamedTarget, 'format' | 'place' | 'schema'>

interface Watching {
  io: Io
  progress?: NonNullable<ExportDataOptions['progress']>
}

/** Exports what becomes one partition: a source, or several archives. */
export function exportUnit(
  unit: readonly string[],
  target: Place,
  options: ExportCommandOptions,
  watching: Watching,
): Promise<ExportSummary> {
  const settings = settingsOf(target, options, watching)
  return withSource(
    unit,
    { ...settings, timeout: options.timeout },
    watching.io,
    (source, unitOptions) => exportData(source, target.place, { ...settings, ...unitOptions }),
  )
}

/** A target that is open for several units. */
export interface UnitRun extends Pick<ExportRun, 'waiting'> {
  add(unit: readonly string[]): Promise<ExportSummary>
}

/** Opens a target once for all units that `work` adds. */
export function exportUnits<T>(
  target: Place,
  options: ExportCommandOptions,
  watching: Watching,
  work: (run: UnitRun) => Promise<T>,
): Promise<T> {
  const settings = settingsOf(target, options, watching)
  const { timeout } = options
  return exportWith(target.place, settings, ({ add, waiting }) =>
    work({
      add: (unit) => withSource(unit, { ...settings, timeout }, watching.io, add),
      waiting,
    }),
  )
}

function settingsOf(
  { format, schema }: Place,
  options: ExportCommandOptions,
  { io, progress }: Watching,
): ExportDataOptions {
  const selection = selectionOf(options)
  const { wait, raw, derived, as, force, salvage, compression, shard } = options
  const { indexes, 'partition-by': partitionBy, 'csv-safe': csvSafe } = options
  return {
    format,
    schema,
    shard,
    indexes,
    partitionBy,
    wait,
    raw,
    derived,
    as,
    force,
    salvage,
    compression,
    csvSafe,
    limits: limitsOf(options),
    ...(progress && { progress }),
    signal: io.signal,
    ...credentialsIn(io),
    ...(hasSelection(selection) && { selection }),
  }
}
