import { Worker } from 'node:worker_threads'
import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { findIndex, openIndex, stampOf } from './index/index-file.ts'
import type { IndexOrder } from './index/index-worker.ts'
import type { AccountFacts } from './people.ts'
import { CatalogReader } from './reader.ts'

export interface CatalogOptions {
  /** The folder of the index. Without one it is made in a temporary folder. */
  folder?: string | undefined
  /** Take the index of the folder if it fits, but write nothing there. */
  readOnly?: boolean | undefined
  /** Serve issue events of kinds that the interface does not document. */
  allEvents?: boolean | undefined
  /** Called with what is being indexed, and the part that is done, from 0 to 1. */
  progress?: ((what: string, part: number) => void) | undefined
  /** Milliseconds between two looks at the databases; 0 for never. Default 1000. */
  lookEvery?: number | undefined
}

/** What the databases hold, as one. */
export interface Catalog {
  /** `busy` while the index is being made anew, because a database has changed. */
  readonly status: 'ready' | 'busy'
  /**
   * Answers questions. Ask for it in every request: after a change of a database there is another one.
   *
   * @throws `database-busy` while the index is being made anew
   */
  read(): CatalogReader
  /** The number of an account, which no database needs to know; undefined while the index is being made anew. */
  numberOfAccount(login: string): number | undefined
  /** Takes numbers, addresses and members of organizations from the accounts file. */
  useAccounts(facts: AccountFacts): void
  close(): void
}

/** KiB of pages that SQLite keeps of each file: what is asked for often is kept rendered. */
const PAGE_CACHE = 4096

// The name of this file tells whether it was compiled.
const THREAD = new URL(import.meta.url.replace(/catalog(?=\.\w+$)/, 'index/index-worker'))

/**
 * Opens databases to be served as one, and looks after them: if another program changes one, the index is made anew in a
 * thread of its own.
 *
 * @param paths databases that `loadArchive` created, the one that counts first first
 * @throws `ArchiveError` as `openDatabase`, and those of writing the index
 */
export function openCatalog(paths: readonly string[], options: CatalogOptions = {}): Catalog {
  const { allEvents = false, progress, lookEvery = 1000 } = options
  // Faults of the databases come before anything is written.
  const databases = openAll(paths)
  const index = { allEvents, ...(progress && { progress }) }
  let temporary: { path: string; remove(): void } | undefined
  const folder = () => {
    const { folder, readOnly } = options
    if (folder !== undefined && !readOnly) return folder
    temporary ??= makeTemporaryFolder()
    return temporary.path
  }
  let facts: AccountFacts = { accounts: [], organizations: [] }
  let stamps: readonly string[] = []
  let reader: CatalogReader | undefined
  let worker: Worker | undefined
  let isClosed = false

  const read = (opened: readonly Database[]) => {
    stamps = paths.map(stampOf)
    const { folder: own } = options
    const found = own === undefined ? undefined : findIndex(own, paths, index)
    return new CatalogReader(found ?? openIndex(folder(), paths, index), opened, facts)
  }

  const look = () => {
    if (worker || isClosed || (reader && isUnchanged(paths, stamps))) return
    reader?.close()
    reader = undefined
    const order: IndexOrder = { folder: folder(), paths, allEvents }
    worker = new Worker(THREAD, { workerData: order, execArgv: [] })
    // If it fails, the next look tries again.
    worker.on('error', () => {})
    worker.on('exit', (code) => {
      worker = undefined
      if (code !== 0 || isClosed) return
      try {
        reader = readOpened(paths, read)
      } catch {
        // It changed again, or is still being written.
      }
    })
    worker.unref()
  }

  try {
    reader = read(databases)
  } catch (error) {
    for (const database of databases) database.close()
    temporary?.remove()
    throw error
  }
  const timer = lookEvery > 0 ? setInterval(look, lookEvery).unref() : undefined
  const current = () => {
    if (reader) return reader
    throw new ArchiveError('database-busy', 'its index is being made', {
      archive: paths.join(', '),
    })
  }
  return {
    get status() {
      return reader ? 'ready' : 'busy'
    },
    read: current,
    numberOfAccount: (login) =>
      reader && (reader.people.findByLogin(login) ?? reader.people.ofAccount(login)).number,
    useAccounts(given) {
      facts = given
      reader?.useAccounts(given)
    },
    close() {
      isClosed = true
      clearInterval(timer)
      void worker?.terminate()
      reader?.close()
      reader = undefined
      temporary?.remove()
    },
  }
}

function readOpened(
  paths: readonly string[],
  read: (databases: readonly Database[]) => CatalogReader,
): CatalogReader {
  const databases = openAll(paths)
  try {
    return read(databases)
  } catch (error) {
    for (const database of databases) database.close()
    throw error
  }
}

function openAll(paths: readonly string[]): Database[] {
  const databases: Database[] = []
  try {
    for (const path of paths) {
      const database = openDatabase(path)
      databases.push(database)
      // No request waits for another program.
      database.pragma('busy_timeout = 0')
      database.pragma(`cache_size = -${PAGE_CACHE}`)
    }
    return databases
  } catch (error) {
    for (const database of databases) database.close()
    throw error
  }
}

function isUnchanged(paths: readonly string[], stamps: readonly string[]): boolean {
  try {
    return paths.every((path, i) => stampOf(path) === stamps[i])
  } catch {
    // It was removed, or is being replaced.
    return false
  }
}
