import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../../errors.ts'
import { attemptSync } from '../../files/write-file.ts'
import { removeOthers } from './folder-partition.ts'
import { DATASET_VERSION, listManifests, manifestPath, newer } from './manifest.ts'
import { lockPartition } from './partition-lock.ts'
import { folderName } from './partition-name.ts'

/**
 * Makes the folder of a dataset, or checks one that is there.
 *
 * @throws `dataset-foreign` for a folder that holds something else, `dataset-newer`, `output-refused`
 */
export function openDataset(dataset: string): void {
  const archives = join(dataset, '_marc', 'archives')
  if (!existsSync(archives)) {
    const found = existsSync(dataset) ? attemptSync(dataset, () => readdirSync(dataset)) : []
    if (found.some((name) => !name.startsWith('.') && name !== '_marc')) {
      const message = 'the folder is not empty and has no folder _marc'
      throw new ArchiveError('dataset-foreign', message, { archive: dataset })
    }
    attemptSync(archives, () => mkdirSync(archives, { recursive: true }))
    return
  }
  if (listManifests(dataset).some((manifest) => manifest.dataset > DATASET_VERSION)) {
    throw newer(dataset)
  }
}

/** Throws `option-invalid` if another partition has this name but for upper and lower case. */
export function checkUnique(dataset: string, name: string): void {
  const folded = name.toLowerCase()
  const other = listManifests(dataset).find(
    (manifest) => manifest.name !== name && manifest.name.toLowerCase() === folded,
  )
  if (!other) return
  const message = `the partition ${JSON.stringify(other.name)} differs in upper and lower case only`
  throw new ArchiveError('option-invalid', message, { archive: dataset })
}

/** Takes the lock of a partition. Returns what releases it. */
export const lockOf = (
  dataset: string,
  name: string,
  options: { wait?: boolean | undefined; signal?: AbortSignal | undefined },
): Promise<() => void> => lockPartition(`${manifestPath(dataset, name)}.lock`, options)

const ENDINGS = ['parquet', 'ndjson', 'ndjson.gz', 'csv', 'csv.gz'] as const

/**
 * Removes a partition: its files, and then its manifest. Returns false if there is none.
 *
 * @throws `dataset-foreign`, `partition-busy`
 */
export async function removePartition(
  dataset: string,
  name: string,
  options: { wait?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  openDataset(dataset)
  const manifest = manifestPath(dataset, name)
  if (!existsSync(manifest)) return false
  const release = await lockOf(dataset, name, options)
  try {
    removeFiles(dataset, name)
    rmSync(manifest, { force: true })
    return true
  } finally {
    release()
  }
}

/** Removes the files of a partition in all formats but those that are `kept`. */
export function removeFiles(dataset: string, name: string, kept?: string): void {
  for (const ending of ENDINGS) {
    if (ending !== kept) removeOthers(dataset, `archive=${folderName(name)}`, new Set(), ending)
  }
}
