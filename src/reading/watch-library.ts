import { ArchiveError } from '../base/errors.ts'
import type { Database } from '../database/database.ts'
import { refuseLocked } from '../database/refuse-locked.ts'
import { stampOf } from './index/index-file.ts'
import type { IndexKeeper } from './index/keep-index.ts'
import { Library } from './library.ts'

export interface WatchOptions {
  /** Keeps the index of the databases; without it they are read without one. It is closed with them. */
  readonly index?: IndexKeeper | undefined
  /** Milliseconds between two looks at the databases; 0 for never. Default 1000. */
  readonly lookEvery?: number | undefined
}

/** Databases that a server has open, once for all who ask. */
export interface WatchedLibrary {
  /**
   * The databases as they were at the last look. Ask for it in every request: after a change there is another one, and the
   * former is closed. While a database is locked or gone, or indexed anew, it is what there is.
   */
  readonly library: Library
  /** `busy` while a database has changed and its index is not made anew. */
  readonly status: 'ready' | 'busy'
  /**
   * Makes the index, unless there is one.
   *
   * @throws `database-busy` if a database changes meanwhile, `interrupted`, and the codes of writing the index
   */
  makeIndex(signal?: AbortSignal): Promise<void>
  /** Looks now for databases to be added. Resolves with whether this one is read. */
  show(path: string): Promise<boolean>
  /** Stops the making of an index, and closes the databases. */
  close(): Promise<void>
}

/** Milliseconds for which databases stay open when others have been added. */
const RETIRED = 30_000

/** KiB of pages that SQLite caches of each database. Little is enough, because frequent answers are remembered. */
const PAGE_CACHE = 4096

/**
 * Opens databases to be served as one, and watches them: if another program changes one, they are opened anew and a child
 * process makes the index again. No request waits for it, nor for a lock.
 *
 * @param given databases that `loadArchive` created; of two repositories with one name, that of the earlier one counts. A
 *   function may name more of them later: these are shown when they are indexed, and meanwhile the others are read
 * @throws `ArchiveError` as `openDatabase`
 */
export function watchLibrary(
  given: readonly string[] | (() => readonly string[]),
  { index: keeper, lookEvery = 1000 }: WatchOptions = {},
): WatchedLibrary {
  const stopping = new AbortController()
  const pathsNow = typeof given === 'function' ? given : () => given
  let paths = pathsNow()
  let opened = open()
  const retired = new Set<Library>()
  let isChanged = false
  let renewing: Promise<void> | undefined
  const timer = lookEvery > 0 ? setInterval(look, lookEvery).unref() : undefined

  function open(): Opened {
    const library = Library.open(paths)
    try {
      const databases = library.stores.map(({ database }) => database)
      for (const database of databases) {
        database.pragma(`cache_size = -${PAGE_CACHE}`)
        // No request waits for another program.
        database.pragma('busy_timeout = 0')
      }
      const stamps = stampsOf(databases)
      const index = keeper?.find(databases)
      if (index) library.useIndex(index)
      return { library, databases, stamps }
    } catch (error) {
      library.close()
      throw error
    }
  }

  function reopen(): void {
    const former = opened
    opened = open()
    former.library.close()
  }

  async function makeIndex(signal?: AbortSignal): Promise<void> {
    if (!keeper || opened.library.index) return
    await keeper.make(paths, signal)
    refuseLocked(paths)
    if (isUnchanged(opened)) takeIndex(keeper)
    else reopen()
    if (opened.library.index) return
    throw new ArchiveError('database-busy', 'it changed while its index was made', {
      archive: paths.join(', '),
    })
  }

  async function makeFirst(signal: AbortSignal): Promise<void> {
    if (keeper && !opened.library.index) {
      keeper.makeSmall(opened.databases)
      takeIndex(keeper)
    }
    await makeIndex(signal)
  }

  function takeIndex({ find }: IndexKeeper): void {
    const index = find(opened.databases)
    if (index) opened.library.useIndex(index)
  }

  async function renew(): Promise<void> {
    try {
      refuseLocked(paths)
      if (isChanged) reopen()
      isChanged = false
      await makeIndex(stopping.signal)
    } catch {
      // It is gone, is still being written, or changed again: the next look tries again.
    }
  }

  /** Opens further databases when their index is made. */
  async function extend(wanted: readonly string[]): Promise<void> {
    try {
      await keeper?.make(wanted, stopping.signal)
      if (stopping.signal.aborted) return
      const former = opened.library
      paths = wanted
      opened = open()
      retire(former)
    } catch {
      // One of them is gone, or has changed: the next look tries again.
    }
  }

  /** Requests that have begun still read the databases as they were. */
  function retire(library: Library): void {
    retired.add(library)
    const close = () => {
      if (retired.delete(library)) library.close()
    }
    setTimeout(close, RETIRED).unref()
  }

  function look(): void {
    if (renewing || stopping.signal.aborted) return
    const wanted = pathsNow()
    if (wanted.length !== paths.length || wanted.some((path, i) => path !== paths[i])) {
      renewing = extend(wanted).finally(() => {
        renewing = undefined
      })
      return
    }
    isChanged = !isUnchanged(opened)
    if (!isChanged && (!keeper || opened.library.index)) return
    renewing = renew().finally(() => {
      renewing = undefined
    })
  }

  return {
    get library() {
      return opened.library
    },
    async show(path) {
      look()
      await renewing
      return paths.includes(path)
    },
    get status() {
      return isChanged || (keeper && !opened.library.index) ? 'busy' : 'ready'
    },
    async makeIndex(signal) {
      const made = makeFirst(AbortSignal.any([stopping.signal, ...(signal ? [signal] : [])]))
      // No look meanwhile.
      renewing = made
        .catch(() => {})
        .finally(() => {
          renewing = undefined
        })
      await made
    },
    async close() {
      clearInterval(timer)
      stopping.abort()
      await renewing
      for (const library of retired) library.close()
      retired.clear()
      opened.library.close()
      keeper?.close()
    },
  }
}

/** Databases that are open, and what they looked like when they were opened. */
interface Opened {
  readonly library: Library
  readonly databases: readonly Database[]
  readonly stamps: readonly string[]
}

/** The databases as they look from outside, and what SQLite knows of changes by others where they look the same. */
const stampsOf = (databases: readonly Database[]): string[] =>
  databases.map(
    (database) => `${stampOf(database.name)} ${database.pragma('data_version', { simple: true })}`,
  )

function isUnchanged({ databases, stamps }: Opened): boolean {
  try {
    return stampsOf(databases).every((stamp, i) => stamp === stamps[i])
  } catch {
    // It was removed, is being replaced, or is locked.
    return false
  }
}
