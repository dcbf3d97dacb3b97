import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The mode of a folder that no other user can read or write. */
export const PRIVATE = 0o700

/**
 * Makes a folder with the folders above it, unless it is there. Unlike the recursive `mkdir` of Node.js it also ends where
 * the kernel refuses new folders, as in `/proc`.
 *
 * @throws errors of the file system
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isMade(path, mode)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above, mode)
  if (isMade(path, mode)) return
  throw Object.assign(new Error('no folder can be made here'), { code: 'ENOENT' })
}

/** A path and the folders above it that are not there yet, the innermost first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.push(each)
  return missing
}

/** False if a folder above it is missing. */
function isMade(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code !== 'EEXIST') throw error
    if (statSync(path).isDirectory()) return true
    const file = { code: 'ENOTDIR', cause: error }
    throw Object.assign(new Error('this is not a folder'), file)
  }
}
