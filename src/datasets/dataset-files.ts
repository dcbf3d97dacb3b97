import { join, resolve } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { compareTexts } from '../base/text.ts'
import { isTableOfUnknown } from '../database/schema/unknown-kind.ts'
import { checkDataset } from '../exporters/dataset/dataset.ts'
import {
  formatOf,
  isReadable,
  type Manifest,
  manifestPath,
  readManifests,
} from '../exporters/dataset/manifest.ts'
import { folderName } from '../exporters/dataset/partition-name.ts'
import { LISTINGS } from '../exporters/listings.ts'
import { hasInnerFolder, isPlainFile } from '../files/inner-folder.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** A Parquet file of a table. */
export interface DatasetFile {
  readonly path: string
  /** The folder of the dataset, and the folders in it that lead to the file. */
  readonly place: { readonly root: string; readonly folders: readonly string[] }
  /** The partition that it is of. */
  readonly archive: string
  /** The names of its columns. */
  readonly columns: ReadonlySet<string>
}

/** A partition. */
interface Archive {
  readonly name: string
  readonly size: number | null
  readonly sha256: string | null
  readonly state: string
  /** The newest time in any of its records. */
  readonly newest: string | null
}

/** The archives and files of a dataset, from the manifests of its complete partitions. */
export interface DatasetFiles {
  /** The partitions from the oldest to the newest. */
  readonly archives: readonly Archive[]
  /** The files of each table, in the same order. */
  readonly tables: ReadonlyMap<string, readonly DatasetFile[]>
  /** The members of records that some file of a table has in `_extra`. */
  extraMembers(table: string): ReadonlySet<string>
}

/** What is kept of a manifest. */
interface Partition extends Archive {
  readonly files: ReadonlyMap<string, DatasetFile>
}

/**
 * Reads the manifests of datasets. Of a record that several archives have that of the newest counts, and the last by name of
 * archives of one age. Partitions that are being written are left out.
 *
 * @throws `dataset-foreign`, `dataset-newer`; `source-damaged` for a manifest that cannot be read, and
 *   `source-unsupported` for a partition of another format
 */
export function readDatasetFiles(folders: readonly string[]): DatasetFiles {
  const columnsOf = sharedSets()
  const extra = new Map<string, Set<string>>()
  const found: Partition[] = []
  for (const folder of folders) {
    checkDataset(folder)
    for (const [name, manifest] of readManifests(folder)) {
      if (manifest?.state === 'writing') continue
      checkManifest(folder, name, manifest)
      const files = new Map<string, DatasetFile>()
      for (const [table, { columns, extra: kept }] of Object.entries(manifest.tables)) {
        files.set(table, { ...fileOf(folder, table, name), columns: columnsOf(columns) })
        const members = listIn(extra, table, () => new Set<string>())
        for (const member of Object.keys(kept?.members ?? {})) members.add(member)
      }
      found.push({ ...describe(name, manifest), files })
    }
  }
  found.sort((a, b) => compareTexts(a.newest ?? '', b.newest ?? '') || compareTexts(a.name, b.name))
  const tables = new Map<string, DatasetFile[]>()
  for (const { files } of found) {
    for (const [table, file] of files) listIn(tables, table, () => []).push(file)
  }
  return { archives: found, tables, extraMembers: (table) => extra.get(table) ?? new Set() }
}

function fileOf(dataset: string, table: string, archive: string): Omit<DatasetFile, 'columns'> {
  const root = resolve(dataset)
  const folders = [`kind=${table}`, `archive=${folderName(archive)}`]
  return { path: join(root, ...folders, 'data.parquet'), place: { root, folders }, archive }
}

/** Makes sets of names. Lists that are alike, as those of most archives are, get one. */
function sharedSets(): (names: readonly string[]) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (names) => listIn(known, JSON.stringify(names), () => new Set(names))
}

function checkManifest(
  folder: string,
  name: string,
  manifest: Manifest | undefined,
): asserts manifest is Manifest {
  const place = { archive: manifestPath(folder, name) }
  if (manifest?.state !== 'complete' || !isReadable(manifest)) {
    throw new ArchiveError('source-damaged', 'the manifest of an archive is damaged', place)
  }
  const table = Object.keys(manifest.tables).find((each) => !isExportedTable(each))
  if (table !== undefined) {
    const message = `the manifest names the table ${JSON.stringify(table.slice(0, 60))}, which no export has`
    throw new ArchiveError('source-damaged', message, place)
  }
  const format = formatOf(manifest)
  if (format === 'parquet') return
  const message = `a dataset of ${format.slice(0, 20)}; those of Parquet are read`
  throw new ArchiveError('source-unsupported', message, place)
}

/** Whether an export may have a table of this name. Another one could hide a view, or lie elsewhere. */
const isExportedTable = (name: string): boolean =>
  kindNamed(name) !== undefined ||
  LISTINGS.some((listing) => listing.name === name) ||
  isTableOfUnknown(name)

/**
 * Throws `source-damaged` for a file that is not there, or is a link, and `output-refused` for a link in place of its folders.
 */
export function checkFiles(files: readonly DatasetFile[]): void {
  const missing = files.find(
    ({ path, place: { root, folders } }) => !hasInnerFolder(root, folders) || !isPlainFile(path),
  )
  if (missing === undefined) return
  const message = 'the file that the manifest names is missing'
  throw new ArchiveError('source-damaged', message, { archive: missing.path })
}

const describe = (name: string, { source }: Manifest): Archive => ({
  name,
  size: Number.isSafeInteger(source?.size) ? (source?.size as number) : null,
  sha256: textOr(null, source?.sha256),
  state: textOr('complete', source?.state),
  newest: textOr(null, source?.newest),
})

// Manifests are files that others may have edited.
const textOr = <T>(other: T, value: unknown): string | T =>
  typeof value === 'string' ? value : other

function listIn<T>(map: Map<string, T>, name: string, make: () => T): T {
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}
