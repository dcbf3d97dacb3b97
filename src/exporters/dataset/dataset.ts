import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  aFlag,
  aPath,
  aSignal,
  aText,
  checkArguments,
  checkOptions,
} from '../../check-arguments.ts'
import { ArchiveError } from '../../errors.ts'
import { attemptSync } from '../../files/write-file.ts'
import { updateSchema } from './dataset-schema.ts'
import { removeOthers } from './folder-partition.ts'
import { DATASET_VERSION, listManifests, manifestPath, newer } from './manifest.ts'
import { lockPartition } from './partition-lock.ts'
import { checkName, folderName } from './partition-name.ts'

/**
 * Makes the folder of a dataset, or checks one that is there.
 *
 * @throws `dataset-foreign` for a folder that holds something else, `dataset-newer`, `output-refused`
 */
export function openDataset(dataset: string): void {
  if (isDataset(dataset)) {
    checkDataset(dataset)
    return
  }
  const found = existsSync(dataset) ? attemptSync(dataset, () => readdirSync(dataset)) : []
  if (found.some((name) => !name.startsWith('.') && name !== '_marc')) {
    const message = 'the folder is not empty and has no folder _marc'
    throw new ArchiveError('dataset-foreign', message, { archive: dataset })
  }
  const archives = archivesOf(dataset)
  attemptSync(archives, () => mkdirSync(archives, { recursive: true }))
}

/**
 * Checks that a folder is a dataset, without making it one.
 *
 * @throws `dataset-foreign`, `dataset-newer`
 */
export function checkDataset(dataset: string): void {
  if (!isDataset(dataset)) {
    const message = 'the folder has no folder _marc'
    throw new ArchiveError('dataset-foreign', message, { archive: dataset })
  }
  if (listManifests(dataset).some((manifest) => manifest.dataset > DATASET_VERSION)) {
    throw newer(dataset)
  }
}

const archivesOf = (dataset: string) => join(dataset, '_marc', 'archives')
const isDataset = (dataset: string) => existsSync(archivesOf(dataset))

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

export interface RemoveOptions {
  /** Wait for another process that writes the same partition. Default true. */
  wait?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Removes a partition: its files, and then its manifest.
 *
 * @param dataset the folder of the dataset
 * @param name the name of the partition
 * @param options whether to wait for another process
 * @returns false if there is no such partition
 * @throws `dataset-foreign`, `dataset-newer`, `partition-busy`, `option-invalid`, `interrupted`
 * @example
 * await removePartition('lake', 'acme-2026-10')
 */
export async function removePartition(
  dataset: string,
  name: string,
  options: RemoveOptions = {},
): Promise<boolean> {
  checkArguments({ dataset, name }, { dataset: aPath, name: aText })
  checkOptions(options, { wait: aFlag, signal: aSignal })
  checkName(name)
  checkDataset(dataset)
  const manifest = manifestPath(dataset, name)
  if (!existsSync(manifest)) return false
  const release = await lockOf(dataset, name, options)
  try {
    removeFiles(dataset, name)
    rmSync(manifest, { force: true })
    await updateSchema(dataset, options)
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
