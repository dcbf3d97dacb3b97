import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import type { Report } from '../base/errors.ts'
import { nextTurn } from '../base/next-turn.ts'
import type { Bytes } from '../base/streams.ts'
import { buildSelected, translate } from '../build/build-archive.ts'
import type { BuildOptions } from '../build/build-options.ts'
import { vacuumInto } from '../database/copy-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { attemptSync } from '../files/attempt.ts'
import { partialOf, removeStale } from '../files/partial-file.ts'
import { publishFile, refuseExisting, writeFile } from '../files/write-file.ts'
import type { WorkingCopy } from './working-copy.ts'

export interface OutputOptions {
  /** Replace a file that is there. */
  force?: boolean | undefined
  /** Receives the rules that edited records break. */
  report?: Report | undefined
  /** Stops the work after the step that it is at, with `interrupted`. Then no output is left. */
  signal?: AbortSignal | undefined
}

/** Whether a path names an archive by its ending, and not a database. */
export const isArchivePath = (path: string): boolean => /\.(?:tar\.gz|tgz)$/i.test(path)

/** The archive that a changed copy builds. Edited records that break a rule are written as they are, and reported. */
export async function* archiveOf(
  { database, edited, source }: Pick<WorkingCopy, 'database' | 'edited' | 'source'>,
  { report, signal }: OutputOptions,
  { files = true, level }: Pick<BuildOptions, 'files' | 'level'> = {},
): Bytes {
  const options: BuildOptions = { allowInvalid: true, report, signal, files, level }
  const snapshot = openSnapshot(database)
  try {
    yield* buildSelected(snapshot, options, edited.has)
  } catch (error) {
    throw translate(error, source, options)
  } finally {
    snapshot.close()
  }
}

/**
 * Writes a changed copy as an archive or as a database, by the ending of its path; nothing is left if it fails. A database has
 * no free pages with what was there before.
 */
export async function writeOutput(
  copy: Pick<WorkingCopy, 'database' | 'edited' | 'source'>,
  path: string,
  options: OutputOptions = {},
): Promise<void> {
  const { force = false, signal } = options
  await nextTurn(signal)
  if (isArchivePath(path)) return writeFile(path, archiveOf(copy, options), { force })
  if (!force) refuseExisting(path)
  removeStale(path)
  const partial = partialOf(path)
  try {
    vacuumInto(copy.database, partial, path)
    attemptSync(path, () => {
      const file = openSync(partial, 'r+')
      fsyncSync(file)
      closeSync(file)
    })
    await nextTurn(signal)
    publishFile(partial, path, { force })
  } finally {
    for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
  }
}
