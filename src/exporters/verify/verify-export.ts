import { anArchiveSource } from '../../archive/entry.ts'
import {
  anOpenDatabase,
  anyOf,
  aPath,
  checkArguments,
  checkOptions,
  listOf,
  type Shapes,
} from '../../base/check-arguments.ts'
import { orInterrupted, throwIfInterrupted } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { openTemporary } from '../../database/connection.ts'
import type { Selection } from '../../database/rows/selection.ts'
import { unknownKind } from '../../database/schema/unknown-kind.ts'
import { type ContentOptions, isReadable, type Manifest } from '../dataset/manifest.ts'
import { checkName, partitionName } from '../dataset/partition-name.ts'
import { datasetTables } from '../ddl/dataset-views.ts'
import {
  EXPORT_FORMATS,
  EXPORT_SHAPES,
  type ExportDataOptions,
  FOLDER_FORMATS,
} from '../export-options.ts'
import type { Target } from '../exporter.ts'
import { EXPORTERS } from '../exporters.ts'
import { excerpts, type Inspection } from '../read-back/definitions.ts'
import type { ExportDifference } from '../read-back/export-difference.ts'
import {
  type ExportDataSource,
  openSource,
  readOnceOrLoaded,
  sourceNameOf,
} from '../sources/open-source.ts'
import { type ExportTable, type TableFacts, tableOfKind } from '../table.ts'
import { compareManifests } from './compare-manifests.ts'
import { compareValues } from './compare-values.ts'
import { openExpectedPartition } from './expected-partition.ts'
import { comparedTable } from './expected-table.ts'

export type { ExportDifference }

/** The differences of a partition, or of what all partitions share. */
export interface ExportVerification {
  /** The name of the partition; null for tables, views, and rows or files that belong to no partition. */
  name: string | null
  /** Empty if all that was compared is as it should be. */
  differences: ExportDifference[]
  /** What was not compared. */
  notCompared: string[]
}

/** Where the partition is, and how to read its source. */
export type VerifyExportOptions = Pick<
  ExportDataOptions,
  | 'format'
  | 'as'
  | 'schema'
  | 'user'
  | 'password'
  | 's3'
  | 'wait'
  | 'limits'
  | 'salvage'
  | 'signal'
  | 'progress'
>

const { format, as, schema, user, password, s3, wait, limits, salvage, signal, progress } =
  EXPORT_SHAPES
const SHAPES: Shapes<VerifyExportOptions> = {
  format,
  as,
  schema,
  user,
  password,
  s3,
  wait,
  limits,
  salvage,
  signal,
  progress,
}

/**
 * Compares every value of a partition and its manifest with its source, or all partitions with their manifests; then
 * tables, views and whatever else all partitions share. The options that made a partition are in its manifest.
 *
 * @param source an open database, an archive, or several; undefined to compare with manifests only
 * @param place the folder of a dataset, a DuckDB file, or the URL of a server
 * @param options the format, the name of the partition, and how to read the source
 * @returns the differences by partition, and last those of what all partitions share
 * @throws what `exportData` throws
 * @example
 * const found = await verifyExport('acme-2026-10.tar.gz', 'lake')
 * const isSame = found.every(({ differences }) => differences.length === 0)
 */
export async function verifyExport(
  source: ExportDataSource | undefined,
  place: string,
  options: VerifyExportOptions = {},
): Promise<ExportVerification[]> {
  checkArguments({ place }, { place: aPath })
  if (source !== undefined) {
    const known = anyOf(
      'an open Database, an archive, or several',
      anOpenDatabase,
      anArchiveSource,
      listOf(anArchiveSource),
    )
    checkArguments({ source }, { source: known })
  }
  checkOptions(options, SHAPES)
  return verifyWith(place, options, (verify) => verify(source, options.as))
}

/**
 * Verifies partitions of one target, which is opened once, with the sources that `work` names.
 *
 * @returns the differences by partition, and last those of what all partitions share
 */
export async function verifyWith(
  place: string,
  options: VerifyExportOptions,
  work: (
    verify: (
      source: ExportDataSource | undefined,
      as: string | undefined,
    ) => Promise<ExportVerification[]>,
  ) => Promise<ExportVerification[]>,
): Promise<ExportVerification[]> {
  const format = options.format ?? 'parquet'
  const { schema, user, password, s3, signal } = options
  throwIfInterrupted(signal)
  const opening = { existing: true, readOnly: true, schema, user, password, s3, signal }
  const target = await EXPORTERS[format].open(place, opening)
  try {
    const inspection = await target.inspect(await target.names())
    const partitions = await work(async (source, as) => {
      const named = as ?? (source === undefined ? undefined : partitionName(sourceNameOf(source)))
      const names = named === undefined ? await target.names() : [checkName(named)]
      const done: ExportVerification[] = []
      for (const name of names) {
        const release = await target.lock(name, options)
        try {
          done.push({ name, ...(await compare(target, name, { source, options, inspection })) })
        } finally {
          await release()
        }
      }
      return done
    })
    const { differences, notCompared } = inspection
    return [
      ...partitions,
      { name: null, differences: [...differences], notCompared: [...notCompared] },
    ]
  } catch (error) {
    throw orInterrupted(error, signal)
  } finally {
    await target.close()
  }
}

interface Comparison {
  source: ExportDataSource | undefined
  options: VerifyExportOptions
  inspection: Inspection
}

async function compare(
  target: Target,
  name: string,
  { source, options, inspection }: Comparison,
): Promise<Omit<ExportVerification, 'name'>> {
  const manifest = await target.readManifest(name)
  const state = manifest?.state ?? null
  if (!manifest || state !== 'complete') {
    const difference = { fact: 'state', expected: 'complete', found: state }
    return { differences: [difference], notCompared: ['values'] }
  }
  // Each partition of a folder may have a format of its own.
  const format = EXPORT_FORMATS.find((one) => String(manifest.options?.format).startsWith(one))
  if (!isReadable(manifest) || format === undefined) {
    const [, found] = excerpts('', JSON.stringify(manifest))
    return {
      differences: [{ fact: 'manifest', expected: 'readable', found }],
      notCompared: ['values'],
    }
  }
  const isFolder = FOLDER_FORMATS.some((one) => one === format)
  const { isReadable: isColumn } = inspection
  const compared = (tables: readonly ExportTable[]) =>
    tables.flatMap((table) => comparedTable(table, format, isColumn) ?? [])
  const kept = compared(tablesIn(manifest))
  const differences =
    isFolder || source === undefined
      ? differencesOf(
          new Map(kept.map((table) => [table.name, factsOf(manifest, table.name, isFolder)])),
          await target.survey(name, kept),
        )
      : []
  if (manifest.name !== name) {
    differences.push({ fact: 'manifest name', expected: name, found: String(manifest.name) })
  }
  if (source === undefined) {
    return { differences, notCompared: [isFolder ? 'the source' : 'values and the source'] }
  }
  // Another version may have other columns for the same records.
  if (manifest.version !== VERSION) {
    const difference = { fact: 'version', expected: VERSION, found: manifest.version }
    return { differences: [...differences, difference], notCompared: ['values'] }
  }
  const { content, selection } = madeWith(manifest)
  const job = { source, name, options: { ...options, selection } }
  const opened = openSource(source, name, job.options)
  const scratch = openTemporary()
  try {
    // A table of an engine may have rows of the partition that its manifest does not know.
    const known = compared([...tablesIn(manifest), ...inspection.tables])
    const present = isFolder ? kept : await tablesWithRows(target, name, uniqueTables(known))
    const found = await readOnceOrLoaded(opened, job, (from) => {
      const { signal } = options
      const made = { name, format, content, signal, scratch, isReadable: isColumn }
      return compareValues(openExpectedPartition(from, made), target.read(name), present)
    })
    const manifests = compareManifests(found.manifest, manifest)
    return {
      differences: [...differences, ...found.differences, ...manifests.differences],
      notCompared: manifests.notCompared,
    }
  } finally {
    scratch.close()
    opened.close()
  }
}

const uniqueTables = (tables: readonly ExportTable[]): ExportTable[] => [
  ...new Map(tables.map((table) => [table.name, table])).values(),
]

async function tablesWithRows(
  target: Target,
  name: string,
  tables: readonly ExportTable[],
): Promise<ExportTable[]> {
  const counts = await target.survey(name, tables)
  return tables.filter((table) => (counts.get(table.name)?.rows ?? 0) !== 0)
}

/** The options that a partition was made with. */
function madeWith({ options }: Manifest): { content: ContentOptions; selection?: Selection } {
  const { selection } = options
  return { content: options, ...(selection !== undefined && { selection: JSON.parse(selection) }) }
}

const tablesIn = ({ tables }: Manifest): ExportTable[] => {
  const known = new Map(datasetTables([]).map((table) => [table.name, table]))
  return Object.entries(tables).map(([name, { columns }]) => {
    const table = known.get(name) ?? tableOfKind(name, unknownKind(name), { raw: true })
    return { ...table, columns: table.columns.filter((column) => columns.includes(column.name)) }
  })
}

function factsOf({ tables }: Manifest, name: string, isFolder: boolean): TableFacts {
  const { rows = 0, bytes = 0, sha256 = '' } = tables[name] ?? {}
  return isFolder ? { bytes, sha256 } : { rows }
}

function differencesOf(
  expected: ReadonlyMap<string, TableFacts>,
  found: ReadonlyMap<string, TableFacts>,
): ExportDifference[] {
  const tables = new Set([...expected.keys(), ...found.keys()])
  return [...tables].flatMap((table) => {
    const [should, does] = [expected.get(table) ?? {}, found.get(table) ?? {}]
    const facts = new Set([...Object.keys(should), ...Object.keys(does)])
    return [...facts]
      .map((fact) => ({ table, fact, expected: should[fact] ?? null, found: does[fact] ?? null }))
      .filter((one) => (one.expected || null) !== (one.found || null))
  })
}
