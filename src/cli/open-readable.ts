import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '../database/open-database.ts'
import { cachedDatabase, type Reading } from './cached-database.ts'
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
  if (named === '-') {
    throw new UsageError(
      'an archive on standard input cannot be queried, only loaded',
      'Load it first with: marc load - -o name.db',
    )
  }
  const path = (await isArchive(named)) ? await cachedDatabase(named, io, reading) : named
  const database = openDatabase(path)
  if (!reading.writes) io.mayEndAtOnce?.()
  return database
}

// What does not exist was probably meant to be a database.
const isArchive = async (named: string) => existsSync(named) && !(await isDatabase(named))
