import { existsSync, lstatSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { attempt } from '../../files/attempt.ts'
import { partialOf, removeStale } from '../../files/partial-file.ts'
import { isThere } from '../../files/write-file.ts'

/**
 * Lets `fill` write a folder next to `directory`, and renames it when it is complete; on failure it is removed. Replaces an
 * empty folder, and with `force` a bare repository, but nothing else. Throws `output-exists`, `output-full` or
 * `output-refused`.
 */
export async function publishFolder<T>(
  directory: string,
  { force }: { force: boolean },
  fill: (folder: string) => Promise<T>,
): Promise<T> {
  // Without a slash at the end.
  const path = resolve(directory)
  await refuse(directory, path, force)
  const partial = partialOf(path)
  try {
    await attempt(directory, mkdir(partial))
    const filled = await attempt(directory, fill(partial))
    await attempt(directory, publish(partial, path))
    // Not earlier: after a kill, the only copy of the former folder may be among the stale ones.
    removeStale(path)
    return filled
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Throws unless `path` may be replaced without loss. */
async function refuse(directory: string, path: string, force: boolean): Promise<void> {
  if (!isThere(path)) return
  const place = { archive: directory }
  // A link to a folder is refused too, since replacing it would remove it.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ArchiveError('output-refused', 'this is not a folder, and was kept', place)
  }
  const names = await attempt(directory, readdir(path))
  if (names.length === 0) return
  if (!force) throw new ArchiveError('output-exists', 'a folder with this name exists', place)
  if (['HEAD', 'objects', 'refs'].every((name) => names.includes(name))) return
  throw new ArchiveError('output-refused', 'this is not a bare repository, and was kept', place)
}

async function publish(partial: string, path: string): Promise<void> {
  if (!existsSync(path)) return rename(partial, path)
  // An empty folder is removed. Anything else is moved away, and back on failure.
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
