import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '../database/open-database.ts'
import type { Reading } from './cached-database.ts'
import type { Io } from './io.ts'
import { isDatabase } from './is-database.ts'
import { UsageError } from './usage-error.ts'

/**
 * Opens a database, or an archive by way of a database in the user's cache folder, made with the contents that
 * are needed and kept until the archive changes.
 */
export async function openReadable(
  named: string,
  io: Io,
  reading: Reading = {},
): Promise<Database> {
  const database = openDatabase(await databasePath(named, io, reading))
  if (!reading.writes) io.mayEndAtOnce?.()
  return database
}

/** The path of a database as it is named, or of the one in the cache that holds an archive. */
export async function databasePath(named: string, io: Io, reading: Reading): Promise<string> {
  if (named === '-') {
    throw new UsageError(
      'an archive on standard input cannot be queried, only loaded',
      'Load it first with: marc load - -o name.db',
    )
  }
  if (!(await isArchive(named))) return named
  // All that reads archives takes longer to start than a query of a database takes.
  const { cachedDatabase } = await import('./cached-database.ts')
  return cachedDatabase(named, io, reading)
}

// What does not exist was probably meant to be a database.
const isArchive = async (named: string) => existsSync(named) && !(await isDatabase(named))
