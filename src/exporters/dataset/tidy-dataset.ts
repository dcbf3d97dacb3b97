import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasInnerFolder } from '../../files/inner-folder.ts'
import { removeStale } from '../../files/partial-file.ts'
import { takeStaleLocks } from './partition-lock.ts'

const LOCK = '.json.lock'

/**
 * Removes what killed exports left in a dataset: their partial files, locks and empty folders. Which these are, their locks say.
 *
 * @throws `output-refused`, also for links in place of folders
 */
export async function tidyDataset(dataset: string): Promise<void> {
  if (!hasInnerFolder(dataset, ['_marc', 'archives'])) return
  const archives = join(dataset, '_marc', 'archives')
  await takeStaleLocks(
    archives,
    (name) => name.endsWith(LOCK),
    (name) => tidyPartition(dataset, name.slice(0, -LOCK.length)),
  )
  removeStale(archives, { anyName: true })
}

/** Removes partial files of dead processes in the folders of a partition, and those that are empty then. */
function tidyPartition(dataset: string, name: string): void {
  const partition = `archive=${name}`
  for (const kind of readdirSync(dataset).filter((folder) => folder.startsWith('kind='))) {
    if (!hasInnerFolder(dataset, [kind, partition])) continue
    removeStale(join(dataset, kind, partition), { anyName: true })
    removeEmpty(join(dataset, kind, partition), join(dataset, kind))
  }
}

/**
 * Removes the folders of a dataset that has no partition and never had one, so that a failed export leaves nothing.
 *
 * @param missing what `missingFolders` said of it before the export
 */
export function removeEmptyDataset(dataset: string, missing: readonly string[]): void {
  const own = join(dataset, '_marc')
  // One that had partitions has views.
  if (existsSync(join(own, 'schema.json'))) return
  removeEmpty(join(own, 'archives'), own)
  removeEmpty(...missing)
}

/** Removes folders if they are empty, one after the other. */
export function removeEmpty(...folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch {
      return // it holds something else, or was never there
    }
  }
}
