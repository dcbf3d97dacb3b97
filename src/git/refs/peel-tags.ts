import { sqliteError } from '../../database/connection.ts'
import type { Database } from '../../database/open-database.ts'
import { readPages } from '../../database/read-pages.ts'
import { ArchiveError } from '../../errors.ts'
import { createObjectStore } from '../objects/object-store.ts'
import { peel } from './resolve-revision.ts'

interface LooseTag {
  repository: string
  oid: string
}

const PAGE = 1000
/** Bytes of an object that is looked at: tags and commits are small. */
const LARGEST = 2 ** 20

/**
 * Notes what annotated tags are for that the last archive has in files of their own; of others packed-refs tells. Where the
 * contents of objects were not stored, or are damaged, it stays unknown.
 */
export function peelTags(database: Database): void {
  const pages = readPages<LooseTag>(database, {
    ...{ columns: 'repository, oid', from: 'refs', size: PAGE },
    where: `archive = (SELECT max(id) FROM archives) AND NOT packed AND oid IS NOT NULL AND peeled IS NULL
      AND name >= 'refs/tags/' AND name < 'refs/tags0'`,
  })
  const set = database.prepare('UPDATE refs SET peeled = ? WHERE rowid = ?')
  let opened: { repository: string; objects: ReturnType<typeof createObjectStore> } | undefined
  for (const tags of pages) {
    for (const { position, repository, oid } of tags) {
      try {
        if (opened?.repository !== repository) {
          opened = {
            repository,
            objects: createObjectStore(database, repository, { maxObject: LARGEST }),
          }
        }
        const object = peel(opened.objects, oid, undefined)
        if (object && object.oid !== oid) set.run(object.oid, position)
      } catch (error) {
        // That is for fsck to tell, if anybody asks.
        if (!(error instanceof ArchiveError) || sqliteError(error)) throw error
      }
    }
  }
}
