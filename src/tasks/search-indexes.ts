import { join } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import type { Database } from '../database/open-database.ts'
import { hasRelation } from '../database/schema/schema.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../files/temporary-folder.ts'
import { stampOf } from '../reading/index/index-file.ts'
import { isSearchIndex } from '../search/search-index-file.ts'
import { hasCurrentIndex } from '../search/update-search-index.ts'
import { call } from '../work/call.ts'
import type { makeSearchIndex } from './make-search-index.ts'
import {
  type Asked,
  endedWork,
  type Failure,
  type PageWork,
  startPageWork,
  type WorkState,
} from './page-work.ts'

/** The index of a database: in the database, or the path of a file of its own; being made, with the part that is done; or none. */
export type SearchIndex = WorkState<FoundIndex>

interface FoundIndex {
  readonly index: string | undefined
  readonly isOld?: boolean
}

/** Indexes for databases that have none of their own. */
export interface SearchIndexes {
  /** Where the index of a database is. One that is missing is made, in a process of its own. */
  of(database: Database): Promise<SearchIndex>
  /** Ends the processes that make indexes. */
  close(): void
}

/**
 * Keeps search indexes of databases that have none.
 *
 * @param folder the folder of the server's state; a temporary one without it
 * @param options.found a folder in which another server keeps them: those that fit are read
 */
export function createSearchIndexes(
  folder: string | undefined,
  { found }: { found?: string | undefined } = {},
): SearchIndexes {
  const works = new Map<string, PageWork<FoundIndex>>()
  let temporary: TemporaryFolder | undefined
  const indexName = (database: string) => {
    const names = [...works.keys()]
    const at = names.includes(database) ? names.indexOf(database) : names.length
    return at === 0 ? 'search.db' : `search-${at + 1}.db`
  }
  const start = (database: string, key: string): PageWork<FoundIndex> => {
    const name = indexName(database)
    const kept = [found, folder].flatMap((each) => (each === undefined ? [] : join(each, name)))
    const index = kept.find((path) => isSearchIndex(path, key))
    if (index !== undefined) return endedWork(key, { index })
    temporary ??= folder === undefined ? makeTemporaryFolder() : undefined
    const path = join(folder ?? temporary?.path ?? '', name)
    const make = (asked: Asked) =>
      call<typeof makeSearchIndex>('search-index', { database, path, key }, asked)
    return startPageWork(key, make, { made: { index: path }, failureOf })
  }
  return {
    async of(database) {
      if (hasRelation(database, 'search_index')) {
        return { index: undefined, isOld: !hasCurrentIndex(database) }
      }
      const path = database.name
      const key = JSON.stringify([VERSION, path, stampOf(path)])
      let work = works.get(path)
      if (work?.key !== key) {
        work?.stop()
        work = start(path, key)
        works.set(path, work)
      }
      return work.state()
    },
    close() {
      for (const work of works.values()) work.stop()
      temporary?.remove()
    },
  }
}

/** A message of the system may name folders of this machine. */
const failureOf = (error: unknown): Failure => ({
  message: error instanceof ArchiveError ? error.code : String(error),
})
