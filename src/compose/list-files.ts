import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { refuseAt } from './disk-file.ts'

/** The paths of all files below a folder, sorted. */
export async function* filesBelow(directory: string, folder: string): AsyncGenerator<string> {
  for (const name of await namesIn(directory, folder)) {
    const path = `${folder}/${name}`
    const stats = await lstat(join(directory, path)).catch(refuseAt({ archive: directory }))
    if (stats.isDirectory()) yield* filesBelow(directory, path)
    else yield path
  }
}

/** The names in a folder, sorted. Throws `git-link` if it is a symbolic link. */
export async function namesIn(directory: string, folder: string): Promise<string[]> {
  const path = join(directory, folder)
  const place = { archive: path }
  const stats = await lstat(path).catch(refuseAt(place))
  if (folder !== '' && stats.isSymbolicLink()) {
    throw new ArchiveError('git-link', 'this is a symbolic link', place)
  }
  return (await readdir(path).catch(refuseAt(place))).sort()
}
