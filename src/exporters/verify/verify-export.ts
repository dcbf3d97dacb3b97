import { anArchiveSource } from '../../archive/entry.ts'
import {
  anOpenDatabase,
  anyOf,
  aPath,
  checkArguments,
  checkOptions,
  listOf,
  type Shapes,
} from '../../check-arguments.ts'
import type { Selection } from '../../database/rows/selection.ts'
import { unknownKind } from '../../database/schema/unknown-kind.ts'
import { orInterrupted, throwIfInterrupted } from '../../errors.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { VERSION } from '../../version.ts'
import type { ContentOptions, Manifest } from '../dataset/manifest.ts'
import { checkName, partitionName } from '../dataset/partition-name.ts'
import { datasetTables } from '../ddl/dataset-views.ts'
import { EXPORT_SHAPES, type ExportDataOptions, FOLDER_FORMATS } from '../export-options.ts'
import type { Target } from '../exporter.ts'
import { EXPORTERS } from '../exporters.ts'
import {
  type ExportDataSource,
  nameOf,
  openSource,
  readOnceOrLoaded,
} from '../sources/open-source.ts'
import { type ExportTable, type TableFacts, tableOfKind } from '../table.ts'
import { openFolderTarget } from '../targets/folder.ts'
import { writePartition } from '../write-partition.ts'
import { createCounter } from './facts.ts'

/** The differences from what was expected. */
export interface ExportDifference {
  /** The table; undefined for the partition itself. */
  table?: string
  /** Such as rows, sha256, or `title bytes`. */
  fact: string
  /** The value in the source or the manifest; null if there is none. */
  expected: number | string | null
  /** The value in the target; null if there is none. */
  found: number | string | null
}

/** The differences of a partition. */
export interface ExportVerification {
  /** The name of the partition. */
  name: string
  /** Empty if the partition is as it should be. */
  differences: ExportDifference[]
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
  ...{ format, as, schema, user, password, s3, wait, limits, salvage, signal, progress },
}

/**
 * Compares a partition of a target with its source, or all partitions with their manifests. The options that made a
 * partition are in its manifest.
 *
 * @param source an open database, an archive, or several; undefined to compare with manifests only
 * @param place the folder of a dataset, a DuckDB file, or the URL of a server
 * @param options the format, the name of the partition, and how to read the source
 * @returns the differences by partition
 * @throws what `exportData` throws
 * @example
 * const [verified] = await verifyExport('acme-2026-10.tar.gz', 'lake')
 * const isSame = verified?.differences.length === 0
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
  const format = options.format ?? 'parquet'
  const { schema, user, password, s3, signal } = options
  throwIfInterrupted(signal)
  const opening = { existing: true, schema, user, password, s3, signal }
  const target = await EXPORTERS[format].open(place, opening)
  try {
    const named = options.as ?? (source === undefined ? undefined : partitionName(nameOf(source)))
    const names = named === undefined ? await target.names() : [checkName(named)]
    const done: ExportVerification[] = []
    for (const name of names) {
      const release = await target.lock(name, options)
      try {
        done.push({ name, differences: await compare(target, name, { source, format, options }) })
      } finally {
        await release()
      }
    }
    return done
  } catch (error) {
    throw orInterrupted(error, signal)
  } finally {
    await target.close()
  }
}

interface Comparison {
  source: ExportDataSource | undefined
  format: NonNullable<ExportDataOptions['format']>
  options: VerifyExportOptions
}

async function compare(
  target: Target,
  name: string,
  { source, format, options }: Comparison,
): Promise<ExportDifference[]> {
  const manifest = await target.readManifest(name)
  const state = manifest?.state ?? null
  if (!manifest || state !== 'complete') {
    return [{ fact: 'state', expected: 'complete', found: state }]
  }
  const isFolder = FOLDER_FORMATS.some((one) => one === format)
  if (source === undefined) {
    const kept = tablesIn(manifest)
    const expected = new Map(
      kept.map((table) => [table.name, factsOf(manifest, table.name, isFolder)]),
    )
    return differencesOf(expected, await target.survey(name, kept, 'rows'))
  }
  // Files of another version may have other bytes for the same records.
  if (isFolder && manifest.version !== VERSION) {
    return [{ fact: 'version', expected: VERSION, found: manifest.version }]
  }
  const { content, selection } = madeWith(manifest)
  const job = { source, name, options: { ...options, selection } }
  const opened = openSource(source, name, job.options)
  try {
    return await readOnceOrLoaded(opened, job, async (from) => {
      if (!isFolder) {
        const counter = createCounter(name, EXPORTERS[format].dialect)
        await writePartition(from, { ...job, target: counter, content })
        return differencesOf(
          counter.facts(),
          await target.survey(name, [...tablesIn(manifest), ...counter.tables()], 'columns'),
        )
      }
      const folder = makeTemporaryFolder()
      try {
        const again = openFolderTarget(`${folder.path}/again`, {})
        const { tables } = await writePartition(from, { ...job, target: again, content })
        const expected = Object.entries(tables).map(([table, { bytes, sha256 = '' }]) => {
          const facts: TableFacts = { bytes, sha256 }
          return [table, facts] as const
        })
        return differencesOf(new Map(expected), await target.survey(name, [], 'columns'))
      } finally {
        folder.remove()
      }
    })
  } finally {
    opened.close()
  }
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
