import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Waits until the disk has the names in a folder. Some systems cannot do that, and need not. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EIO') throw error
  }
}
