import { sqliteError } from '../../database/connection.ts'
import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { createObjectStore } from '../objects/object-store.ts'
import { peel } from './resolve-revision.ts'

interface LooseTag {
  rowid: number
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
  const page = database.prepare<[number], LooseTag>(
    `SELECT rowid, repository, oid FROM refs
     WHERE archive = (SELECT max(id) FROM archives) AND NOT packed AND oid IS NOT NULL AND peeled IS NULL
       AND name >= 'refs/tags/' AND name < 'refs/tags0' AND rowid > ?
     ORDER BY rowid LIMIT ${PAGE}`,
  )
  const set = database.prepare('UPDATE refs SET peeled = ? WHERE rowid = ?')
  let opened: { repository: string; objects: ReturnType<typeof createObjectStore> } | undefined
  for (let last = 0; ; ) {
    const tags = page.all(last)
    for (const { rowid, repository, oid } of tags) {
      last = rowid
      try {
        if (opened?.repository !== repository) {
          opened = {
            repository,
            objects: createObjectStore(database, repository, { maxObject: LARGEST }),
          }
        }
        const object = peel(opened.objects, oid, undefined)
        if (object && object.oid !== oid) set.run(object.oid, rowid)
      } catch (error) {
        // That is for fsck to tell, if anybody asks.
        if (!(error instanceof ArchiveError) || sqliteError(error)) throw error
      }
    }
    if (tags.length < PAGE) return
  }
}
