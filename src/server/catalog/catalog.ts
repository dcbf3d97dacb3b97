import { statSync } from 'node:fs'
import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { refuseLocked } from '../../database/refuse-locked.ts'
import { ArchiveError } from '../../errors.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { findIndex, stampOf, writeIndex } from './index/index-file.ts'
import { runIndexProgram } from './index/run-index-program.ts'
import type { AccountFacts } from './people.ts'
import { CatalogReader } from './reader.ts'

export interface CatalogOptions {
  /** The folder of the index. Without one it is made in a temporary folder. */
  folder?: string | undefined
  /** Use the index in the folder if it is up to date, but write nothing there. */
  readOnly?: boolean | undefined
  /** Serve issue events of kinds that the interface does not document. */
  allEvents?: boolean | undefined
  /** Called with what is being indexed, and the part that is done, from 0 to 1. */
  progress?: ((what: string, part: number) => void) | undefined
  /** Milliseconds between two looks at the databases; 0 for never. Default 1000. */
  lookEvery?: number | undefined
  /** Databases of up to so many bytes are indexed in this process, larger ones in a child. Default 16 MiB. */
  smallUpTo?: number | undefined
  /** Stops the first index. */
  signal?: AbortSignal | undefined
}

/** The contents of all databases, as one. */
export interface Catalog {
  /** `busy` while the index is being rebuilt because a database has changed. */
  readonly status: 'ready' | 'busy'
  /**
   * Answers questions. Ask for it in every request: after a change of a database there is another one.
   *
   * @throws `database-busy` while the index is being rebuilt
   */
  read(): CatalogReader
  /** The id of an account, which may be in no database; undefined while the index is being rebuilt. */
  numberOfAccount(login: string): number | undefined
  /** Takes numbers, addresses and members of organizations from the accounts file. */
  useAccounts(facts: AccountFacts): void
  /** Stops the making of an index, and closes the databases. */
  close(): Promise<void>
}

/** KiB of pages that SQLite caches of each file. Little is enough, because frequent answers are cached as rendered. */
const PAGE_CACHE = 4096

/** A process takes longer to start than a database of this size to be indexed. */
const SMALL = 16 * 2 ** 20

/**
 * Opens databases to be served as one, and watches them: if another program changes one, a child process rebuilds the
 * index, and no request waits for it.
 *
 * @param paths databases that `loadArchive` created; of equal names, that of an earlier one is served
 * @throws `ArchiveError` as `openDatabase`, those of writing the index, and `interrupted`
 */
export async function openCatalog(
  paths: readonly string[],
  options: CatalogOptions = {},
): Promise<Catalog> {
  const { allEvents = false, progress, lookEvery = 1000, smallUpTo = SMALL, signal } = options
  let temporary: { path: string; remove(): void } | undefined
  const folder = () => {
    const { folder, readOnly } = options
    if (folder !== undefined && !readOnly) return folder
    temporary ??= makeTemporaryFolder()
    return temporary.path
  }
  const stopping = new AbortController()
  let facts: AccountFacts = { accounts: [], organizations: [] }
  let known: Known | undefined
  let renewing: Promise<void> | undefined

  const find = (databases: readonly Database[]) => {
    const folders = [options.folder, temporary?.path].filter((path) => path !== undefined)
    for (const path of folders) {
      const index = findIndex(path, databases, { allEvents })
      if (index) return index
    }
    return undefined
  }
  /** Opens the databases and their index, which is made first if they are small enough; undefined if not. */
  const openKnown = (limit: number): Known | undefined => {
    // Report faults of the databases before anything is written.
    const databases = openAll(paths)
    try {
      const stamps = stampsOf(databases)
      let index = find(databases)
      if (!index && sizeOf(paths) <= limit) {
        writeIndex(folder(), databases, { allEvents, progress })
        index = find(databases)
      }
      if (index) {
        index.pragma(`cache_size = -${PAGE_CACHE}`)
        // No request waits for another program.
        for (const database of databases) database.pragma('busy_timeout = 0')
        return { reader: new CatalogReader(index, databases, facts), stamps }
      }
    } catch (error) {
      closeAll(databases)
      throw error
    }
    closeAll(databases)
    return undefined
  }
  const open = async (limit: number, signal: AbortSignal | undefined): Promise<Known> => {
    const known = openKnown(limit)
    if (known) return known
    await runIndexProgram({ folder: folder(), paths, allEvents }, { progress, signal })
    refuseLocked(paths)
    const made = openKnown(0)
    if (made) return made
    throw busy(paths)
  }
  const renew = async () => {
    try {
      refuseLocked(paths)
      const renewed = await open(0, stopping.signal)
      if (stopping.signal.aborted) renewed.reader.close()
      else known = renewed
    } catch {
      // It is gone, is still being written, or changed again: the next look tries again.
    }
  }
  const look = () => {
    if (renewing || stopping.signal.aborted || (known && isUnchanged(known))) return
    known?.reader.close()
    known = undefined
    renewing = renew().finally(() => {
      renewing = undefined
    })
  }

  try {
    known = await open(smallUpTo, signal)
  } catch (error) {
    temporary?.remove()
    throw error
  }
  const timer = lookEvery > 0 ? setInterval(look, lookEvery).unref() : undefined
  return {
    get status() {
      return known ? 'ready' : 'busy'
    },
    read() {
      if (known) return known.reader
      throw busy(paths)
    },
    numberOfAccount(login) {
      const people = known?.reader.people
      return people && (people.findByLogin(login) ?? people.ofAccount(login)).number
    },
    useAccounts(given) {
      facts = given
      known?.reader.useAccounts(given)
    },
    async close() {
      clearInterval(timer)
      stopping.abort()
      await renewing
      known?.reader.close()
      known = undefined
      temporary?.remove()
    },
  }
}

/** The databases as they are read, and what they looked like when they were opened. */
interface Known {
  readonly reader: CatalogReader
  readonly stamps: readonly string[]
}

const busy = (paths: readonly string[]) =>
  new ArchiveError('database-busy', 'its index is being made', { archive: paths.join(', ') })

function openAll(paths: readonly string[]): Database[] {
  const databases: Database[] = []
  try {
    for (const path of paths) {
      const database = openDatabase(path)
      databases.push(database)
      database.pragma(`cache_size = -${PAGE_CACHE}`)
    }
    return databases
  } catch (error) {
    closeAll(databases)
    throw error
  }
}

function closeAll(databases: readonly Database[]): void {
  for (const database of databases) database.close()
}

const sizeOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + statSync(path).size, 0)

/** The databases as they look from outside, and what SQLite knows of changes by others where they look the same. */
const stampsOf = (databases: readonly Database[]): string[] =>
  databases.map(
    (database) => `${stampOf(database.name)} ${database.pragma('data_version', { simple: true })}`,
  )

function isUnchanged({ reader, stamps }: Known): boolean {
  try {
    return stampsOf(reader.sources.databases).every((stamp, i) => stamp === stamps[i])
  } catch {
    // It was removed, is being replaced, or is locked.
    return false
  }
}
