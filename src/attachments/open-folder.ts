import { lstat, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveError } from '../errors.ts'
import { attempt } from '../write-file.ts'

/** A folder that files are written to, and never beside. */
export interface Folder {
  /** The path of a file in it, whose folders are made. Throws `output-refused` rather than follow a link. */
  pathFor(parts: readonly string[]): Promise<string>
}

/** Opens the folder that somebody named, which is made if it is not there. Throws `output-refused`. */
export async function openFolder(named: string): Promise<Folder> {
  await attempt(named, mkdir(named, { recursive: true }))
  // The folder itself may be a link: that is what its user wants.
  const root = await attempt(named, realpath(named))
  return {
    async pathFor(parts) {
      let path = root
      for (const part of parts.slice(0, -1)) {
        path = join(path, part)
        await makeFolder(path)
      }
      return join(path, parts.at(-1) as string)
    },
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      return attempt(path, Promise.reject(error))
    const found = await attempt(path, lstat(path))
    if (found.isDirectory()) return
    const message = found.isSymbolicLink()
      ? 'this is a link, and none is followed'
      : 'expected a folder, found something else'
    throw new ArchiveError('output-refused', message, { archive: path })
  }
}
