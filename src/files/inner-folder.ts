import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { attemptSync } from './attempt.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Makes folders within a folder of output, and returns the path of the innermost one. The folder of output may be a link,
 * which its user chose; in it links are not followed, because whoever planted one would have files written elsewhere.
 *
 * @throws `output-refused` for a link or a file in place of a folder
 */
export function makeInnerFolder(root: string, parts: readonly string[]): string {
  attemptSync(root, () => makeFolder(root))
  let path = root
  for (const part of parts) {
    path = join(path, part)
    if (isInnerFolder(path)) continue
    attemptSync(path, () => makeFolder(path))
    isInnerFolder(path) // somebody else may have been faster
  }
  return path
}

/**
 * Whether a folder has these folders within each other.
 *
 * @throws `output-refused` for a link or a file in place of one
 */
export function hasInnerFolder(root: string, parts: readonly string[]): boolean {
  let path = root
  return parts.every((part) => {
    path = join(path, part)
    return isInnerFolder(path)
  })
}

function isInnerFolder(path: string): boolean {
  const found = attemptSync(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!found || found.isDirectory()) return found !== undefined
  const message = found.isSymbolicLink()
    ? 'this is a link; links are not followed'
    : 'expected a folder, found something else'
  throw new ArchiveError('output-refused', message, { archive: path })
}

/** Whether a file has this name, and not a link to one. */
export const isPlainFile = (path: string): boolean =>
  attemptSync(path, () => lstatSync(path, { throwIfNoEntry: false }))?.isFile() === true

// Windows has no such flag.
const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY, O_NOFOLLOW = 0 } = constants

/** The text of a file that is no link. Throws errors of the file system. */
export function readPlainFile(path: string): string {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW)
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Opens a file to add to it, and makes it if it is missing, but never follows a link. Throws errors of the file system. */
export const openToAppend = (path: string, mode?: number): number =>
  openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, mode)
