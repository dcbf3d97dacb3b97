import { statSync } from 'node:fs'
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

/** Milliseconds in which the clock of a file system may stand still: two writes in them give a file the same times. */
const TICK = 20

/**
 * Milliseconds to wait until any later write gives files other times.
 *
 * @param written when files were written, in milliseconds since 1970; times in the future are not waited for
 */
export const untilSettled = (written: readonly number[], now: number): number =>
  Math.max(0, ...written.filter((time) => time <= now).map((time) => time + TICK - now))

/** Writes the index of databases, in a process of its own. Throws as `writeIndex`. */
export function indexDatabases(
  { folder, paths, allEvents }: IndexOrder,
  { progress }: Pick<Context<IndexStep>, 'progress'>,
): void {
  const databases: Database[] = []
  try {
    // Else an index might fit that was made before the last write.
    const written = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, untilSettled(written, Date.now()))
    for (const path of paths) databases.push(openDatabase(path))
    writeIndex(folder, databases, { allEvents, progress: (step, part) => progress({ step, part }) })
  } finally {
    for (const database of databases) database.close()
  }
}
