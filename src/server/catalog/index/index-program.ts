/** Writes an index in a process of its own, and ends. Its parent sends one order, and receives progress and the outcome. */

import self from 'node:process'
import type { Database } from '../../../database/database.ts'
import { openDatabase } from '../../../database/open-database.ts'
import { ArchiveError, type ErrorCode, type Place } from '../../../errors.ts'
import { writeIndex } from './index-file.ts'

/** The task that the process is given. */
export interface IndexOrder {
  readonly folder: string
  readonly paths: readonly string[]
  readonly allEvents: boolean
}

/** A message that the process sends. An error without a code is a fault of our own. */
export type IndexReport =
  | { readonly step: string; readonly part: number }
  | { readonly done: true }
  | { readonly message: string; readonly code: ErrorCode | undefined; readonly place: Place }

const tell = (report: IndexReport) => void self.send?.(report)

self.once('message', ({ folder, paths, allEvents }: IndexOrder) => {
  const databases: Database[] = []
  try {
    for (const path of paths) databases.push(openDatabase(path))
    writeIndex(folder, databases, { allEvents, progress: (step, part) => tell({ step, part }) })
    tell({ done: true })
  } catch (error) {
    tell(asReport(error))
  } finally {
    for (const database of databases) database.close()
  }
  self.disconnect?.()
})

function asReport(error: unknown): IndexReport {
  if (error instanceof ArchiveError) {
    return { message: error.message, code: error.code, place: error.place }
  }
  const message = (error instanceof Error && error.stack) || String(error)
  return { message, code: undefined, place: {} }
}
