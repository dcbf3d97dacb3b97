import { existsSync, lstatSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ArchiveError } from '../../errors.ts'
import { partialOf, removeStale } from '../../files/partial-file.ts'
import { attempt, isThere } from '../../files/write-file.ts'

/**
 * Has `fill` fill a folder beside `directory`, and gives it that name when it is whole; whatever goes wrong
 * before, nothing is left. An empty folder gives way to it; a bare repository does with `force`, and nothing
 * else ever. Throws `output-exists`, `output-full` or `output-refused`.
 */
export async function publishFolder<T>(
  directory: string,
  { force }: { force: boolean },
  fill: (folder: string) => Promise<T>,
): Promise<T> {
  // As it was named, but for a slash at the end or a dot.
  const path = resolve(directory)
  await refuse(directory, path, force)
  const partial = partialOf(path)
  try {
    await attempt(directory, mkdir(partial))
    const filled = await attempt(directory, fill(partial))
    await attempt(directory, publish(partial, path))
    // Not before: a process may have been killed when what was there had made room.
    removeStale(path)
    return filled
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Throws unless nothing is lost if something takes the place of what is there. */
async function refuse(directory: string, path: string, force: boolean): Promise<void> {
  if (!isThere(path)) return
  const place = { archive: directory }
  // Not a link to one either: to take its place is to remove it.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ArchiveError('output-refused', 'what is there is no folder, and stays', place)
  }
  const names = await attempt(directory, readdir(path))
  if (names.length === 0) return
  if (!force) throw new ArchiveError('output-exists', 'there is a folder with this name', place)
  if (['HEAD', 'objects', 'refs'].every((name) => names.includes(name))) return
  throw new ArchiveError('output-refused', 'what is there is no bare repository, and stays', place)
}

async function publish(partial: string, path: string): Promise<void> {
  if (!existsSync(path)) return rename(partial, path)
  // An empty folder goes; anything else makes room first, and comes back if that was in vain.
  const isEmpty = (await readdir(path)).length === 0
  if (isEmpty) {
    await rmdir(path)
    return rename(partial, path)
  }
  const former = partialOf(path)
  await rename(path, former)
  try {
    await rename(partial, path)
  } catch (error) {
    await rename(former, path)
    throw error
  }
  await rm(former, { recursive: true, force: true })
}
