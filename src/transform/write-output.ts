import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { buildArchive } from '../build-archive/build-archive.ts'
import type { Database } from '../database/open-database.ts'
import { quoteText } from '../database/quote.ts'
import type { Report } from '../errors.ts'
import { partialOf, removeStale } from '../files/partial-file.ts'
import { attemptSync, publishFile, refuseExisting, writeFile } from '../files/write-file.ts'
import type { Bytes } from '../streams.ts'

export interface OutputOptions {
  /** Replace a file that is there. */
  force?: boolean | undefined
  /** Receives the rules that records break; they were broken before. */
  report?: Report | undefined
  signal?: AbortSignal | undefined
}

/** Whether a path names an archive by its ending, and not a database. */
export const isArchivePath = (path: string): boolean => /\.(?:tar\.gz|tgz)$/i.test(path)

/** The archive that a changed copy builds. Records that break a rule are written as they are, and reported. */
export const archiveOf = (
  copy: Database,
  { report, signal }: OutputOptions,
  { files = true } = {},
): Bytes => buildArchive(copy, { allowInvalid: true, report, signal, files })

/**
 * Writes a changed copy as an archive or as a database, by the ending of its path; nothing is left if it fails. A database has
 * no free pages with what was there before.
 */
export async function writeOutput(
  copy: Database,
  path: string,
  options: OutputOptions = {},
): Promise<void> {
  const { force = false } = options
  if (isArchivePath(path)) return writeFile(path, archiveOf(copy, options), { force })
  if (!force) refuseExisting(path)
  removeStale(path)
  const partial = partialOf(path)
  try {
    copy.exec(`VACUUM INTO ${quoteText(partial)}`)
    attemptSync(path, () => {
      const file = openSync(partial, 'r+')
      fsyncSync(file)
      closeSync(file)
    })
    publishFile(partial, path, { force })
  } finally {
    rmSync(partial, { force: true })
  }
}
