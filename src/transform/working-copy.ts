import { basename, join } from 'node:path'
import { buildArchive } from '../build/build-archive.ts'
import { copyDatabase } from '../database/copy-database.ts'
import { type Database, openDatabase } from '../database/open-database.ts'
import { hasSelection, type Selection } from '../database/rows/selection.ts'
import { makeTemporaryFolder } from '../files/temporary-folder.ts'
import { loadArchive } from '../load/load-archive.ts'
import { createEditedRows, type EditedRows } from './edited-rows.ts'

/** A database of one's own, in a temporary folder that goes when it is closed. */
export interface WorkingCopy {
  database: Database
  path: string
  /** The database that was copied, for places of errors. */
  source: string
  edited: EditedRows
  close(): void
}

/** Copies a database, or with a selection what that selects, to be changed. Throws the codes of `buildArchive`. */
export async function openWorkingCopy(
  source: Database,
  selection: Selection = {},
): Promise<WorkingCopy> {
  const temporary = makeTemporaryFolder()
  try {
    const path = join(temporary.path, 'copy.db')
    if (hasSelection(selection)) {
      const bytes = buildArchive(source, { ...selection, allowInvalid: true, level: 1 })
      // People hand the copy on: it says nothing of the folders of this machine.
      await loadArchive({ name: basename(source.name), bytes }, path)
    } else {
      copyDatabase(source, path)
    }
    const database = openDatabase(path, { readonly: false })
    // Nobody else uses the copy, and after a crash it is discarded.
    database.pragma('synchronous = OFF')
    database.pragma('journal_mode = OFF')
    // Its rows are read and written once, in order.
    database.pragma('cache_size = -4096')
    const close = () => {
      if (database.open) database.close()
      temporary.remove()
    }
    return { database, path, source: source.name, edited: createEditedRows(), close }
  } catch (error) {
    temporary.remove()
    throw error
  }
}
