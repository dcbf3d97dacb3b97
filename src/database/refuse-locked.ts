import { existsSync } from 'node:fs'
import { ArchiveError } from '../base/errors.ts'
import { openConnection } from './connection.ts'

/**
 * Refuses databases if one is gone, or another program has locked it. Opening it would wait for some seconds until it is unlocked, and a
 * server that waits answers nobody.
 *
 * @throws `database-busy`, `database-not-found`
 */
export function refuseLocked(paths: readonly string[]): void {
  for (const path of paths) refuseOne(path)
}

function refuseOne(path: string): void {
  if (!existsSync(path)) {
    throw new ArchiveError('database-not-found', 'there is no such file', { archive: path })
  }
  const database = openConnection(path, { readonly: true, fileMustExist: true, timeout: 0 })
  try {
    database.pragma('user_version')
  } catch (error) {
    // `openDatabase` knows what to do about anything else.
    if (error instanceof ArchiveError && error.code === 'database-busy') throw error
  } finally {
    database.close()
  }
}
