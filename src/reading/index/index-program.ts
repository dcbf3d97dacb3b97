import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/open-database.ts'
import type { Context } from '../../work/run.ts'
import { writeIndex } from './index-file.ts'

/** The index that is to be written. */
export interface IndexOrder {
  readonly folder: string
  readonly paths: readonly string[]
  readonly allEvents: boolean
}

/** What is being indexed, and the part that is done, from 0 to 1. */
export interface IndexStep {
  readonly step: string
  readonly part: number
}

/** Writes the index of databases, in a process of its own. Throws as `writeIndex`. */
export function indexDatabases(
  { folder, paths, allEvents }: IndexOrder,
  { progress }: Pick<Context<IndexStep>, 'progress'>,
): void {
  const databases: Database[] = []
  try {
    for (const path of paths) databases.push(openDatabase(path))
    writeIndex(folder, databases, { allEvents, progress: (step, part) => progress({ step, part }) })
  } finally {
    for (const database of databases) database.close()
  }
}
