/** Makes the search index of a database in a process of its own, and ends: SQLite would hold up all pages. */

import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import self from 'node:process'
import { ArchiveError } from '../../errors.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { partialOf, removeStale } from '../../files/partial-file.ts'
import { attemptSync, publishFile } from '../../files/write-file.ts'
import { writeSearchIndex } from '../../search/search-index-file.ts'

/** The task that the parent sends. */
export interface SearchOrder {
  readonly database: string
  /** The file of the index, which gets its name when it is complete. */
  readonly path: string
  readonly key: string
}

/** A message to the parent: the part that is done, from 0 to 1, or the outcome. */
export type SearchReport =
  | { readonly part: number }
  | { readonly done: true }
  | { readonly message: string }

function carryOut(
  { database, path, key }: SearchOrder,
  tell: (report: SearchReport) => void,
): void {
  const partial = partialOf(path)
  attemptSync(path, () => {
    makeFolder(dirname(path))
    removeStale(path)
    // SQLite would create a file that others may read.
    closeSync(openSync(partial, 'wx', 0o600))
  })
  try {
    writeSearchIndex(partial, database, key, (done, total) =>
      tell({ part: done / Math.max(1, total) }),
    )
    const file = openSync(partial, 'r+')
    fsyncSync(file)
    closeSync(file)
    publishFile(partial, path, { force: true })
  } finally {
    rmSync(partial, { force: true })
  }
}

self.once('message', (order: SearchOrder) => {
  const tell = (report: SearchReport) => void self.send?.(report)
  try {
    carryOut(order, tell)
    tell({ done: true })
  } catch (error) {
    // A message of the system may name folders of this machine.
    tell({ message: error instanceof ArchiveError ? error.code : String(error) })
  }
  self.disconnect?.()
})
