import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { isDatabase } from '../../files/is-database.ts'
import type { Io } from '../command/io.ts'

/** Opens a database, or the cached database of an archive if there is one. Loads nothing. */
export async function openLoaded(
  named: string | undefined,
  io: Pick<Io, 'env'>,
): Promise<Database | undefined> {
  const path = named?.replace(/^~(?=\/)/, () => io.env.HOME || homedir())
  if (path === undefined || !existsSync(path)) return undefined
  if (await isDatabase(path)) return openDatabase(path)
  const { findCached } = await import('./cached-database.ts')
  const cached = await findCached(path, io).catch(() => undefined)
  return cached === undefined ? undefined : openDatabase(cached)
}
