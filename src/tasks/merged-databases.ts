import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { MOST_ATTACHED } from '../database/sources/attached-tables.ts'
import type { AskedDatabase } from '../database/sources/open-asked.ts'
import type { MergedPart } from '../database/sources/order-databases.ts'
import { partitionName } from '../exporters/dataset/partition-name.ts'
import { makeOwnFolder } from '../files/own-folder.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../files/temporary-folder.ts'
import { stampOf } from '../reading/index/index-file.ts'
import type { Store } from '../reading/store.ts'
import { call } from '../work/call.ts'
import {
  type Asked,
  type Failure,
  type PageWork,
  startPageWork,
  type WorkState,
} from './page-work.ts'
import type { attachParts, mergeParts } from './tasks.ts'

/** Several databases as one: where it is; being made, with the part that is done; or none. */
export type Merged = WorkState<AskedDatabase>

/** Databases as one, with the column `_source` in every table and view. */
export interface MergedDatabases {
  /**
   * One database of all these, as `marc query` has it: they are attached, or merged if they are many or were merged before. It is
   * made when it is first asked for, and after a change, in a process of its own.
   */
  of(stores: readonly Store[]): Promise<Merged>
  /** The same for a statement that attached databases cannot answer. */
  mergedOf(stores: readonly Store[]): Promise<Merged>
  /** Ends the processes that make them, and removes them. */
  close(): void
}

/**
 * Puts databases together for statements over all of them.
 *
 * @param folder the folder of the server's state; that of temporary files without it
 */
export function createMergedDatabases(folder: string | undefined): MergedDatabases {
  let temporary: TemporaryFolder | undefined
  let count = 0
  let attached: PageWork<AskedDatabase> | undefined
  let merged: PageWork<AskedDatabase> | undefined
  const start = (parts: readonly MergedPart[], key: string, isAttached: boolean) => {
    if (folder !== undefined) makeOwnFolder(folder)
    temporary ??= makeTemporaryFolder(folder)
    const path = join(temporary.path, `all-${++count}.db`)
    const put = (asked: Asked) =>
      isAttached
        ? call<typeof attachParts>('attach', { parts, path }, asked)
        : call<typeof mergeParts>('merge', { parts, path }, asked)
    return startPageWork(key, put, { made: { path, isAttached }, failureOf })
  }
  const discardOthers = (key: string) => {
    for (const work of [attached, merged]) {
      if (work === undefined || work.key === key) continue
      work.stop()
      discard(work.made.path)
    }
    if (attached?.key !== key) attached = undefined
    if (merged?.key !== key) merged = undefined
  }
  const putTogether = async (stores: readonly Store[], mayAttach: boolean): Promise<Merged> => {
    const parts = partsOf(stores)
    const key = JSON.stringify(parts.map(({ path, source }) => [path, source, stampOf(path)]))
    discardOthers(key)
    try {
      if (!mayAttach || parts.length > MOST_ATTACHED) {
        merged ??= start(parts, key, false)
        return await merged.state()
      }
      const before = await merged?.state()
      if (before && 'path' in before) return before
      attached ??= start(parts, key, true)
      return await attached.state()
    } catch (error) {
      return failureOf(error)
    }
  }
  return {
    of: (stores) => putTogether(stores, true),
    mergedOf: (stores) => putTogether(stores, false),
    close() {
      attached?.stop()
      merged?.stop()
      temporary?.remove()
    },
  }
}

/** A message of the system may name folders of this machine. */
const failureOf = (error: unknown): Failure => ({
  message: `The databases could not be put together (${error instanceof ArchiveError ? error.code : String(error)}).`,
})

/** A database in the cache, whose name says nothing. */
const CACHED = /^[0-9a-f]{16}-[0-9a-f]{16}-v\d/

/** Databases with the names that they have as sources of `marc query`. */
function partsOf(stores: readonly Store[]): MergedPart[] {
  const names = stores.map(({ database, title }) => {
    const file = basename(database.name)
    return partitionName(CACHED.test(file) ? title : file)
  })
  return stores.map(({ database: { name: path } }, i) => {
    const source = names[i] as string
    const isShared = names.indexOf(source) !== names.lastIndexOf(source)
    return { path, source: isShared ? path.replace(/\.db$/, '') : source }
  })
}

/** Statements that are being answered read on. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Windows removes no file that is open. It goes with the folder.
  }
}
