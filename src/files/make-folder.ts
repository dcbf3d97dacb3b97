import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder that nobody else can read or write, with the folders above it. Unlike the recursive `mkdir` of Node.js it
 * also ends where the kernel refuses new folders, as in `/proc`.
 *
 * @throws errors of the file system
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code === 'EEXIST') throw new Error('this is not a folder', { cause: error })
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}
