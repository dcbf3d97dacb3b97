import { type ChildProcess, fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../database/open-database.ts'
import { hasRelation } from '../../database/schema/schema.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../files/temporary-folder.ts'
import { isSearchIndex } from '../../search/search-index-file.ts'
import { hasCurrentIndex } from '../../search/update-search-index.ts'
import { stampOf } from '../../server/catalog/index/index-file.ts'
import { VERSION } from '../../version.ts'
import type { SearchIndex } from '../page.ts'
import type { SearchOrder, SearchReport } from './search-program.ts'

const { dirname, filename } = import.meta
const PROGRAM = join(dirname, `search-program${extname(filename)}`)

/** Milliseconds that a page waits for an index: those of small archives are there by then. */
const PATIENCE = 1_500

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
  readonly child?: ChildProcess
}

/**
 * Keeps search indexes of databases that have none.
 *
 * @param folder the folder of the server's state; a temporary one without it
 */
export function createSearchIndexes(folder: string | undefined): SearchIndexes {
  const works = new Map<string, Work>()
  const children = new Set<ChildProcess>()
  let temporary: TemporaryFolder | undefined
  const pathOf = (database: string) => {
    const names = [...works.keys()]
    const at = names.includes(database) ? names.indexOf(database) : names.length
    temporary ??= folder === undefined ? makeTemporaryFolder() : undefined
    return join(folder ?? temporary?.path ?? '', at === 0 ? 'search.db' : `search-${at + 1}.db`)
  }
  const start = (database: string, key: string): Work => {
    const path = pathOf(database)
    if (isSearchIndex(path, key)) return { key, state: { index: path }, ended: Promise.resolve() }
    const child = fork(PROGRAM, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    children.add(child)
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve()).once('error', () => resolve())
    })
    const work: Work = { key, state: { part: 0 }, ended, child }
    child.on('message', (report: SearchReport) => {
      work.state = 'done' in report ? { index: path } : report
    })
    const order: SearchOrder = { database, path, key }
    // If the child has ended already, its exit event says so.
    child.send(order, () => {})
    void ended.then(() => {
      children.delete(child)
      if ('part' in work.state)
        work.state = { message: 'the process that makes the index has ended' }
    })
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
        work?.child?.kill('SIGKILL')
        work = start(path, key)
        works.set(path, work)
      }
      await Promise.race([work.ended, delay(PATIENCE, undefined, { ref: false })])
      return work.state
    },
    close() {
      for (const child of children) child.kill('SIGKILL')
      temporary?.remove()
    },
  }
}
