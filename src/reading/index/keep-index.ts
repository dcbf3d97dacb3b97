import { statSync } from 'node:fs'
import type { Database } from '../../database/database.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { findIndex, writeIndex } from './index-file.ts'
import { runIndexProgram } from './run-index-program.ts'

export interface IndexOptions {
  /** The folder of the index. Without one it is made in a temporary folder. */
  readonly folder?: string | undefined
  /** Use the index in the folder if it is up to date, but write nothing there. */
  readonly readOnly?: boolean | undefined
  /** Index issue events of kinds that the interface does not document. */
  readonly allEvents?: boolean | undefined
  /** Called with what is being indexed, and the part that is done, from 0 to 1. */
  readonly progress?: ((what: string, part: number) => void) | undefined
  /** Databases of up to so many bytes are indexed in this process, larger ones in a child. Default 16 MiB. */
  readonly smallUpTo?: number | undefined
}

/** Where the index of databases is, and how it is made. */
export interface IndexKeeper {
  /** The index of these databases, if there is one that fits. */
  find(databases: readonly Database[]): Database | undefined
  /** Makes the index in this process if that takes no longer than to start another. The databases are in no transaction. */
  makeSmall(databases: readonly Database[]): void
  /** Makes the index in a process of its own, and throws as `runIndexProgram` does. */
  make(paths: readonly string[], signal: AbortSignal | undefined): Promise<void>
  /** Removes the temporary folder. */
  close(): void
}

/** A process takes longer to start than a database of this size to be indexed. */
const SMALL = 16 * 2 ** 20

/** KiB of pages that SQLite caches of the index. Little is enough, because frequent answers are remembered. */
const PAGE_CACHE = 1024

/** Keeps the index of databases in a folder, or in a temporary one. */
export function keepIndex({
  folder: named,
  readOnly = false,
  allEvents = false,
  progress,
  smallUpTo = SMALL,
}: IndexOptions): IndexKeeper {
  let temporary: { path: string; remove(): void } | undefined
  /** Where an index is written. */
  const folder = () => {
    if (named !== undefined && !readOnly) return named
    temporary ??= makeTemporaryFolder()
    return temporary.path
  }
  return {
    find(databases) {
      for (const path of [named, temporary?.path]) {
        const index = path === undefined ? undefined : findIndex(path, databases, { allEvents })
        if (!index) continue
        index.pragma(`cache_size = -${PAGE_CACHE}`)
        return index
      }
      return undefined
    },
    makeSmall(databases) {
      const size = databases.reduce((sum, { name }) => sum + statSync(name).size, 0)
      if (size <= smallUpTo) writeIndex(folder(), databases, { allEvents, progress })
    },
    make: (paths, signal) =>
      runIndexProgram({ folder: folder(), paths, allEvents }, { progress, signal }),
    close: () => temporary?.remove(),
  }
}
