import { existsSync, rmSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { hashFile } from '../../archive/open-archive.ts'
import { ArchiveError } from '../../base/errors.ts'
import { missingFolders } from '../../files/make-folder.ts'
import { checkDataset, openDataset } from '../dataset/dataset.ts'
import { schemaFilesOf, updateSchema } from '../dataset/dataset-schema.ts'
import {
  type ContentOptions,
  endingOf,
  listPartitions,
  manifestPath,
  readManifest,
  readManifests,
  unfinished,
  writeManifest,
} from '../dataset/manifest.ts'
import { lockPartition } from '../dataset/partition-lock.ts'
import { removeEmptyDataset, tidyDataset } from '../dataset/tidy-dataset.ts'
import type { Compression, FolderFormat } from '../export-options.ts'
import type { PartitionWriter, Target, TargetOptions } from '../exporter.ts'
import type { Inspection } from '../read-back/definitions.ts'
import { createFileReader } from '../read-back/file-reader.ts'
import { inspectFiles } from '../read-back/inspect-files.ts'
import type { TableFacts } from '../table.ts'
import { filesOf, filesOfAll, foreignFiles, removeFiles } from './folder-partition.ts'
import { openParquetPartition } from './parquet/parquet.ts'
import { openCsvPartition, openNdjsonPartition } from './text.ts'

/**
 * Opens a folder of partitions as a target.
 *
 * @throws `dataset-foreign` for a folder that holds something else or another format, `dataset-newer`, `output-refused`
 */
export function openFolderTarget(
  dataset: string,
  { existing = false, format }: TargetOptions,
): Target {
  const missing = missingFolders(dataset)
  if (existing) checkDataset(dataset)
  else openDataset(dataset, format)
  const pathsOf = (name: string) => {
    const manifest = readManifest(dataset, name)
    return filesOf(dataset, name, manifest && endingOf(manifest))
  }
  return {
    async lock(name, options) {
      checkUnique(dataset, name)
      await tidyDataset(dataset)
      return lockPartition(`${manifestPath(dataset, name)}.lock`, options)
    },
    readManifest: async (name) => readManifest(dataset, name),
    openPartition: (name, content) => openFilesOf(dataset, name, content),
    names: async () => listPartitions(dataset),
    survey: async (name) => surveyFiles(pathsOf(name)),
    inspect: async () => inspectDataset(dataset),
    read: (name) =>
      createFileReader(async (table, work) => {
        const path = pathsOf(name).get(table)
        if (path !== undefined) await work(path)
      }),
    settle: (options) => updateSchema(dataset, options),
    async remove(name) {
      const manifest = manifestPath(dataset, name)
      if (!existsSync(manifest)) return false
      // If this process is killed, the partition does not count as complete.
      const found = readManifest(dataset, name)
      if (found) await writeManifest(dataset, unfinished(found))
      removeFiles(dataset, name)
      rmSync(manifest, { force: true })
      return true
    },
    close: async () => removeEmptyDataset(dataset, missing),
  }
}

/** Finds files that belong to no partition, and views that differ. */
function inspectDataset(dataset: string): Inspection {
  const files = filesOfAll(dataset, new Map(readManifests(dataset)))
  const isParquet = (path: string) => path.endsWith('.parquet')
  const present = [...files].flatMap(([table, paths]) => (paths.some(isParquet) ? [table] : []))
  const schema = schemaFilesOf(dataset, present.sort())
  return inspectFiles(
    schema.map((file) => ({ ...file, path: relative(dataset, file.path) })),
    foreignFiles(dataset, new Set([...files.values()].flat())),
  )
}

/** Size and SHA-256 of each file of a partition. */
async function surveyFiles(paths: ReadonlyMap<string, string>): Promise<Map<string, TableFacts>> {
  const found = new Map<string, TableFacts>()
  for (const [table, path] of paths) {
    found.set(table, { bytes: statSync(path).size, sha256: await hashFile(path) })
  }
  return found
}

/** Opens the files of a partition in a folder. */
export async function openFilesOf(
  dataset: string,
  name: string,
  { format, csvSafe }: ContentOptions,
): Promise<PartitionWriter> {
  const [kind, compression] = format.split(' ') as [FolderFormat, Compression]
  if (kind === 'parquet') return openParquetPartition(dataset, name, { compression })
  const gzip = compression === 'gzip'
  return kind === 'csv'
    ? openCsvPartition(dataset, name, { gzip, isSafe: csvSafe })
    : openNdjsonPartition(dataset, name, { gzip })
}

/** Throws `option-invalid` if the name of another partition differs only in upper and lower case. */
function checkUnique(dataset: string, name: string): void {
  const folded = name.toLowerCase()
  const other = listPartitions(dataset).find((one) => one !== name && one.toLowerCase() === folded)
  if (other === undefined) return
  const message = `the partition ${JSON.stringify(other)} differs in upper and lower case only`
  throw new ArchiveError('option-invalid', message, { archive: dataset })
}
