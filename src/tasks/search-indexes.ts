import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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

/** Milliseconds that a page waits for an index: those of small archives are there by then. */
const PATIENCE = 1_500

/** Why something could not be answered. */
export interface Failure {
  readonly message: string
}

/** The index of a database: in the database, or the path of a file of its own; being made, with the part that is done; or none. */
export type SearchIndex =
  | { readonly index: string | undefined; readonly isOld?: boolean }
  | { readonly part: number }
  | Failure

/** Indexes for databases that have none of their own. */
export interface SearchIndexes {
  /** Where the index of a database is. One that is missing is made, in a process of its own. */
  of(database: Database): Promise<SearchIndex>
  /** Ends the processes that make indexes. */
  close(): void
}

interface Work {
  readonly key: string
  state: SearchIndex
  readonly ended: Promise<unknown>
  readonly stop: AbortController
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
  const works = new Map<string, Work>()
  let temporary: TemporaryFolder | undefined
  const indexName = (database: string) => {
    const names = [...works.keys()]
    const at = names.includes(database) ? names.indexOf(database) : names.length
    return at === 0 ? 'search.db' : `search-${at + 1}.db`
  }
  const start = (database: string, key: string): Work => {
    const name = indexName(database)
    const stop = new AbortController()
    const made = [found, folder].flatMap((each) => (each === undefined ? [] : join(each, name)))
    const index = made.find((path) => isSearchIndex(path, key))
    if (index !== undefined) return { key, state: { index }, ended: Promise.resolve(), stop }
    temporary ??= folder === undefined ? makeTemporaryFolder() : undefined
    const path = join(folder ?? temporary?.path ?? '', name)
    const making = call<typeof makeSearchIndex>(
      'search-index',
      { database, path, key },
      {
        in: 'process',
        signal: stop.signal,
        progress: (part) => {
          work.state = { part }
        },
      },
    )
    const ended = making.then(
      () => {
        work.state = { index: path }
      },
      (error) => {
        // A message of the system may name folders of this machine.
        const message = error instanceof ArchiveError ? error.code : String(error)
        work.state = { message }
      },
    )
    const work: Work = { key, state: { part: 0 }, ended, stop }
    return work
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
        work?.stop.abort()
        work = start(path, key)
        works.set(path, work)
      }
      await Promise.race([work.ended, delay(PATIENCE, undefined, { ref: false })])
      return work.state
    },
    close() {
      for (const { stop } of works.values()) stop.abort()
      temporary?.remove()
    },
  }
}
