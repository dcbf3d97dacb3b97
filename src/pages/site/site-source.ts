import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { throwIfInterrupted } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { isThere } from '../../files/write-file.ts'
import { ASSETS } from '../assets.ts'
import type { WriteSiteOptions } from './site-options.ts'

/**
 * A hash of all that a site is made from: the bytes of the databases, the options and this program. Two sites with the same
 * hash have the same pages.
 */
export async function hashSource(
  databases: readonly string[],
  { progress, signal, dryRun, commits, ...options }: WriteSiteOptions,
): Promise<string> {
  const hash = createHash('sha256')
  const own = [VERSION, ...Object.values(ASSETS).map(({ path }) => path)]
  // JSON has no infinity.
  hash.update(JSON.stringify([own, { ...options, commits: String(commits) }]))
  for (const database of databases) {
    hash.update(JSON.stringify(basename(database)))
    await addFile(hash, database, signal)
    // It has the last transactions until SQLite moves them to the database.
    if (isThere(`${database}-wal`)) await addFile(hash, `${database}-wal`, signal)
  }
  return hash.digest('hex')
}

async function addFile(hash: Hash, path: string, signal: AbortSignal | undefined): Promise<void> {
  for await (const bytes of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    throwIfInterrupted(signal)
    hash.update(bytes)
  }
}
