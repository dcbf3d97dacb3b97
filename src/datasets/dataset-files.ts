import { join, resolve } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { compareTexts } from '../base/text.ts'
import { checkDataset } from '../exporters/dataset/dataset.ts'
import {
  isReadable,
  listManifests,
  type Manifest,
  manifestPath,
} from '../exporters/dataset/manifest.ts'
import { folderName } from '../exporters/dataset/partition-name.ts'
import { isPlainFile } from '../files/inner-folder.ts'

/** A Parquet file of a table. */
export interface DatasetFile {
  readonly path: string
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

/**
 * Reads the manifests of datasets. Of a record that several archives have that of the newest counts, and the last by name of
 * archives of one age. Partitions that are being written are left out.
 *
 * @throws `dataset-foreign`, `dataset-newer`; `source-damaged` for a manifest that cannot be read, and
 *   `source-unsupported` for a partition of another format
 */
export function readDatasetFiles(folders: readonly string[]): DatasetFiles {
  const found = folders.flatMap((folder) => {
    checkDataset(folder)
    return [...listManifests(folder)].flatMap(([name, manifest]) => {
      const isWritten = manifest === undefined || manifest.state === 'complete'
      if (!isWritten) return []
      checkManifest(folder, name, manifest)
      return [{ folder, name, manifest }]
    })
  })
  found.sort(
    (a, b) =>
      compareTexts(newestOf(a.manifest), newestOf(b.manifest)) || compareTexts(a.name, b.name),
  )
  const tables = new Map<string, DatasetFile[]>()
  const extra = new Map<string, Set<string>>()
  for (const { folder, name, manifest } of found) {
    for (const [table, { columns, extra: kept }] of Object.entries(manifest.tables)) {
      // Manifests are files that others may have edited.
      if (!/^\w+$/.test(table)) continue
      const path = join(
        resolve(folder),
        `kind=${table}`,
        `archive=${folderName(name)}`,
        'data.parquet',
      )
      listIn(tables, table, () => []).push({ path, archive: name, columns: new Set(columns) })
      const members = listIn(extra, table, () => new Set<string>())
      for (const member of Object.keys(kept?.members ?? {})) members.add(member)
    }
  }
  return {
    archives: found.map(({ name, manifest }) => describe(name, manifest)),
    tables,
    extraMembers: (table) => extra.get(table) ?? new Set(),
  }
}

function checkManifest(
  folder: string,
  name: string,
  manifest: Manifest | undefined,
): asserts manifest is Manifest {
  const place = { archive: manifestPath(folder, name) }
  if (manifest === undefined || !isReadable(manifest)) {
    throw new ArchiveError('source-damaged', 'the manifest of an archive is damaged', place)
  }
  const [format = ''] = String(manifest.options?.format).split(' ')
  if (format === 'parquet') return
  const message = `a dataset of ${format.slice(0, 20)}; those of Parquet are read`
  throw new ArchiveError('source-unsupported', message, place)
}

/** Throws `source-damaged` for a file that is not there, or is a link. */
export function checkFiles(files: readonly DatasetFile[]): void {
  const missing = files.find(({ path }) => !isPlainFile(path))
  if (missing === undefined) return
  const message = 'the file that the manifest names is missing'
  throw new ArchiveError('source-damaged', message, { archive: missing.path })
}

const describe = (name: string, { source, state }: Manifest): Archive => ({
  name,
  size: typeof source?.size === 'number' ? source.size : null,
  sha256: source?.sha256 ?? null,
  state: source?.state ?? state,
  newest: source?.newest ?? null,
})

const newestOf = ({ source }: Manifest) => String(source?.newest ?? '')

function listIn<T>(map: Map<string, T>, name: string, make: () => T): T {
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}
