import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveError, throwIfInterrupted } from '../base/errors.ts'
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
  /** Called with why the databases cannot be read as they are now, when that changes, and with undefined when they can. */
  readonly log?: ((fault: Error | undefined) => void) | undefined
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
  /** Why the last attempt to read the databases as they are now has failed; undefined if none has since they were read. */
  readonly fault: Error | undefined
  /**
   * Makes the index, unless there is one.
   *
   * @throws `database-busy` if a database changes meanwhile, `interrupted`, and the codes of writing the index
   */
  makeIndex(signal?: AbortSignal): Promise<void>
  /**
   * Waits until a database is read that was added. Resolves with false if it is not among the databases any more, or if nobody
   * waits.
   *
   * @throws `interrupted` when the databases are closed
   */
  show(path: string, signal: AbortSignal): Promise<boolean>
  /** Stops the making of an index, and closes the databases. */
  close(): Promise<void>
}

/** Milliseconds for which databases stay open when others have been added. */
const RETIRED = 30_000

/** Milliseconds between two looks, and between two attempts that failed, at most. */
const LOOK = 1000
const LONGEST = 60_000

/** KiB of pages that SQLite caches of each database. Little is enough, because frequent answers are remembered. */
const PAGE_CACHE = 1024

/** An index that could not be made. */
interface Failed {
  readonly error: unknown
  /** The databases as they were: after a change the next attempt may succeed. */
  readonly state: string
  readonly times: number
  /** When the next attempt is due, on the clock of `performance.now()`. */
  readonly due: number
}

/**
 * Opens databases to be served as one, and watches them: if another program changes one, they are opened anew and a child
 * process makes the index again. No request waits for it, nor for a lock.
 *
 * Each look compares the databases that are open with those that are wanted, and brings them up to date unless that is under
 * way. What is in the way is kept as `fault`: while a database is locked or gone, each look tries again. To make an index
 * takes a process, so that after a failure the time until the next attempt doubles, unless a database has changed.
 *
 * @param given databases that `loadArchive` created; of two repositories with one name, that of the earlier one counts. A
 *   function may name more of them later: these are shown when they are indexed, and meanwhile the others are read
 * @throws `ArchiveError` as `openDatabase`
 */
export function watchLibrary(
  given: readonly string[] | (() => readonly string[]),
  { index: keeper, lookEvery = LOOK, log }: WatchOptions = {},
): WatchedLibrary {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = lookEvery > 0 ? lookEvery : LOOK
  const pathsNow = typeof given === 'function' ? given : () => given
  let opened = open(pathsNow())
  const retired = new Set<Library>()
  /** Whether a database is not as it was when it was opened. */
  let isChanged = false
  let updating: Promise<void> | undefined
  let fault: Error | undefined
  let failed: Failed | undefined
  const timer = lookEvery > 0 ? setInterval(look, lookEvery).unref() : undefined

  function open(paths: readonly string[]): Opened {
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
      return { paths, library, databases, stamps }
    } catch (error) {
      library.close()
      throw error
    }
  }

  /** Reads other databases from now on, or the same anew. */
  function replaceBy(next: Opened): void {
    const { library } = opened
    opened = next
    if (isChanged) library.close()
    else retire(library)
    isChanged = false
  }

  /** Requests that have begun still read the databases as they were. */
  function retire(library: Library): void {
    retired.add(library)
    const close = () => {
      if (retired.delete(library)) library.close()
    }
    setTimeout(close, RETIRED).unref()
  }

  const hasIndex = () => !keeper || opened.library.index !== undefined
  const isUpToDate = (wanted: readonly string[]) =>
    !isChanged && hasIndex() && isSame(opened.paths, wanted)

  /** Reads the databases that are wanted as they are now. */
  async function bringUpToDate(wanted: readonly string[]): Promise<void> {
    refuseLocked(wanted)
    // Nothing of a changed database is read as it was. Without a change, it is until the others are indexed.
    if (isChanged || !keeper) replaceBy(open(wanted))
    if (!isUpToDate(wanted)) await makeIndexOf(wanted, signal)
  }

  async function makeIndexOf(wanted: readonly string[], stop: AbortSignal): Promise<void> {
    const state = stateOf(wanted)
    const former = failed?.state === state ? failed : undefined
    if (former && performance.now() < former.due) throw former.error
    try {
      await keeper?.make(wanted, stop)
      refuseLocked(wanted)
      isChanged = !isUnchanged(opened)
      takeOrOpen(wanted)
      if (!isUpToDate(wanted)) throw notFitting(wanted, state)
      failed = undefined
    } catch (error) {
      const times = (former?.times ?? 0) + 1
      const due = performance.now() + Math.min(pause * 2 ** times, LONGEST)
      failed = { error, state, times, due }
      throw error
    }
  }

  /** Takes an index that was made. If it does not fit, nothing is closed but databases that have changed. */
  function takeOrOpen(wanted: readonly string[]): void {
    if (!isChanged && isSame(opened.paths, wanted)) {
      takeIndex()
      return
    }
    const next = open(wanted)
    if (isChanged || next.library.index) replaceBy(next)
    else next.library.close()
  }

  function takeIndex(): void {
    const index = keeper?.find(opened.databases)
    if (index) opened.library.useIndex(index)
  }

  async function makeFirst(stop: AbortSignal): Promise<void> {
    if (keeper && !hasIndex()) {
      keeper.makeSmall(opened.databases)
      takeIndex()
    }
    if (!hasIndex()) await makeIndexOf(opened.paths, stop)
  }

  function note(next: Error | undefined): void {
    const isNew = next?.message !== fault?.message
    fault = next
    if (isNew && !signal.aborted) log?.(fault)
  }

  async function update(): Promise<void> {
    try {
      const wanted = pathsNow()
      if (!isUpToDate(wanted)) await bringUpToDate(wanted)
      note(undefined)
    } catch (error) {
      note(error as Error)
    }
  }

  const isWanted = (path: string): boolean => {
    try {
      return pathsNow().includes(path)
    } catch {
      // The next look says why.
      return true
    }
  }

  function look(): void {
    if (signal.aborted) return
    isChanged = !isUnchanged(opened)
    updating ??= update().finally(() => {
      updating = undefined
    })
  }

  return {
    get library() {
      return opened.library
    },
    get status() {
      return isChanged || !hasIndex() ? 'busy' : 'ready'
    },
    get fault() {
      return fault
    },
    async makeIndex(stop) {
      const made = makeFirst(AbortSignal.any([signal, ...(stop ? [stop] : [])]))
      // No look meanwhile.
      updating = made
        .catch(() => {})
        .finally(() => {
          updating = undefined
        })
      await made
    },
    async show(path, stop) {
      const either = AbortSignal.any([signal, stop])
      while (!stop.aborted) {
        // One that is under way may have begun before the database was added.
        await updating
        look()
        await updating
        if (opened.paths.includes(path) && hasIndex()) return true
        throwIfInterrupted(signal)
        if (!isWanted(path)) return false
        await sleep(pause, undefined, { signal: either }).catch(() => {})
      }
      return false
    },
    async close() {
      clearInterval(timer)
      stopping.abort()
      await updating
      for (const library of retired) library.close()
      retired.clear()
      opened.library.close()
      keeper?.close()
    },
  }
}

/** Databases that are open, and what they looked like when they were opened. */
interface Opened {
  readonly paths: readonly string[]
  readonly library: Library
  readonly databases: readonly Database[]
  readonly stamps: readonly string[]
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((path, i) => path === right[i])

const notFitting = (paths: readonly string[], state: string) =>
  new ArchiveError(
    'database-busy',
    stateOf(paths) === state
      ? 'the index that was made of it is not found'
      : 'it changed while its index was made',
    { archive: paths.join(', ') },
  )

/** Databases as they look from outside. */
const stateOf = (paths: readonly string[]): string =>
  JSON.stringify(paths.map((path) => [path, stampOf(path)]))

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
