import type { Database } from '../../database/open-database.ts'
import { createObjectStore } from '../objects/object-store.ts'
import { checkStored } from '../objects/repository-files.ts'
import { parseTree } from '../parse/parse-tree.ts'
import { openPacks } from './copy-objects.ts'
import { createTables, dropTables, listOwn, ownOf } from './own-objects.ts'
import { type HistoryEdits, openFile } from './rewrite-history.ts'
import { rewriteText } from './rewrite-text.ts'

/**
 * Shows all commits and tags of a repository to the functions that would rewrite them, and the files and folders that are asked for.
 * Nothing is changed. Throws as `ObjectStore.read` does.
 */
export async function visitHistory(
  database: Database,
  repository: string,
  { files = 'none', nameOf, seeFile, fileOf, ...edits }: HistoryEdits,
): Promise<void> {
  checkStored(database, repository)
  createTables(database)
  try {
    const objects = createObjectStore(database, repository, {}, { inOrder: true })
    listOwn(database, repository, objects, { packs: openPacks(database, repository), files })
    for (const { oid, note } of ownOf(database, "type = 'blob'")) {
      const now = await fileOf?.({ ...openFile(objects, oid), isNote: note !== null })
      now?.remove()
    }
    for (const { oid, type } of ownOf(database, "type <> 'blob'")) {
      const object = objects.read(oid)
      if (type !== 'tree') rewriteText(object.content, { ...edits, idOf: (same) => same })
      else
        for (const { oid: file, name } of parseTree(object)) {
          nameOf?.(name)
          seeFile?.(file, name)
        }
    }
  } finally {
    dropTables(database)
  }
}
