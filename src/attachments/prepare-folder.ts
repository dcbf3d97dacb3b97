import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../errors.ts'
import { removeStale } from '../files/partial-file.ts'
import { attemptSync } from '../files/write-file.ts'

/** A folder that files are written to, and never beside. */
export interface Folder {
  /** The path of a file in it, whose folders are made. Throws `output-refused` rather than follow a link. */
  pathFor(parts: readonly string[]): string
}

/** Opens the folder that somebody named, which is made if it is not there. Throws `output-refused`. */
export function prepareFolder(named: string): Folder {
  attemptSync(named, () => mkdirSync(named, { recursive: true }))
  // The folder itself may be a link: that is what its user wants.
  const root = attemptSync(named, () => realpathSync(named))
  let last: string | undefined
  return {
    pathFor(parts) {
      const folders = parts.slice(0, -1)
      const folder = join(root, ...folders)
      // Files of one folder come one after the other.
      if (folder !== last) {
        folders.forEach((_, i) => {
          makeFolder(join(root, ...folders.slice(0, i + 1)))
        })
      }
      if (folder !== last) removeStale(folder, { anyName: true })
      last = folder
      return join(folder, parts.at(-1) as string)
    },
  }
}

function makeFolder(path: string): void {
  const found = attemptSync(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!found) attemptSync(path, () => mkdirSync(path))
  if (!found || found.isDirectory()) return
  const message = found.isSymbolicLink()
    ? 'this is a link, and none is followed'
    : 'expected a folder, found something else'
  throw new ArchiveError('output-refused', message, { archive: path })
}
