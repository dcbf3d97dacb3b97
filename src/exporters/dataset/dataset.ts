import { existsSync, readdirSync, statSync } from 'node:fs'
import { ArchiveError } from '../../base/errors.ts'
import { attemptSync } from '../../files/attempt.ts'
import { hasInnerFolder, makeInnerFolder } from '../../files/inner-folder.ts'
import { DATASET_VERSION, formatOf, type Manifest, newer, readManifests } from './manifest.ts'

/**
 * Makes the folder of a dataset, or checks one that is there.
 *
 * @throws `dataset-foreign` for a folder that holds something else, or files of another format, `dataset-newer`,
 *   `output-refused`, also for links in place of its folders
 */
export function openDataset(dataset: string, format?: string): void {
  if (isDataset(dataset)) {
    checkDataset(dataset, format)
    return
  }
  const there = attemptSync(dataset, () => statSync(dataset, { throwIfNoEntry: false }))
  if (there && !there.isDirectory()) {
    throw new ArchiveError('dataset-foreign', 'this is a file, not a folder', { archive: dataset })
  }
  const found = existsSync(dataset) ? attemptSync(dataset, () => readdirSync(dataset)) : []
  if (found.some((name) => !name.startsWith('.') && name !== '_marc')) {
    const message = 'the folder is not empty and has no folder _marc'
    throw new ArchiveError('dataset-foreign', message, { archive: dataset })
  }
  makeInnerFolder(dataset, ARCHIVES)
}

/**
 * Checks that a folder is a dataset, without making it one.
 *
 * @param format of its files. Default: any
 * @throws `dataset-foreign`, `dataset-newer`, `output-refused` for links in place of its folders
 */
export function checkDataset(dataset: string, format?: string): void {
  if (!isDataset(dataset)) {
    const message = 'the folder has no folder _marc'
    throw new ArchiveError('dataset-foreign', message, { archive: dataset })
  }
  for (const [, manifest] of readManifests(dataset)) {
    if (Number(manifest?.dataset) > DATASET_VERSION) throw newer(dataset)
    checkFormat(dataset, manifest, format)
  }
}

/** Throws `dataset-foreign` for a partition of another format: no engine reads a dataset of two. */
export function checkFormat(
  dataset: string,
  manifest: Manifest | undefined,
  format: string | undefined,
): void {
  if (format === undefined || typeof manifest?.options?.format !== 'string') return
  const found = formatOf(manifest)
  if (found === format) return
  const message = `this is a dataset of ${found.slice(0, 20)}, and takes no ${format}`
  throw new ArchiveError('dataset-foreign', message, { archive: dataset })
}

const ARCHIVES = ['_marc', 'archives']

/** Throws `output-refused` for links in place of its folders. */
const isDataset = (dataset: string) =>
  attemptSync(dataset, () => statSync(dataset, { throwIfNoEntry: false }))?.isDirectory() ===
    true && hasInnerFolder(dataset, ARCHIVES)
