import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../database/open-database.ts'
import { openRepository } from '../open-repository.ts'
import { findRef } from '../refs/read-refs.ts'
import { type CheckedOut, type CheckOutOptions, checkOut } from './check-out.ts'

/** Writes the files that HEAD has into a folder with a repository in `.git`, as git clone does. */
export async function writeWorkTree(
  database: Database,
  repository: string,
  folder: string,
  options: CheckOutOptions,
): Promise<Omit<CheckedOut, 'index'>> {
  if (!findRef(database, repository, 'HEAD')?.oid) {
    return { files: 0, notes: ['HEAD has no commits: there is nothing to check out'] }
  }
  const { objects, resolve } = openRepository(database, repository)
  const { index, ...checkedOut } = await checkOut(objects, resolve('HEAD', 'tree'), folder, options)
  await writeFile(join(folder, '.git/index'), index, { flag: 'wx' })
  return checkedOut
}
