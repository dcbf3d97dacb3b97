import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { attemptSync } from './attempt.ts'
import { makeOwnFolder } from './own-folder.ts'
import { partialOf, removeStale } from './partial-file.ts'
import { publishFile } from './write-file.ts'

/**
 * Writes a file that only this user may read, in a folder of the same user: beside its name, which it gets when it is complete
 * and on the disk. What killed processes left of it is removed.
 *
 * @param write fills the empty file with this name
 * @throws `folder-foreign`, `output-refused`, `output-full`, and what `write` throws
 */
export function writeOwnFile(path: string, write: (partial: string) => void): void {
  const partial = partialOf(path)
  const folder = dirname(path)
  makeOwnFolder(folder)
  attemptSync(folder, () => {
    removeStale(path)
    // A program that creates it, such as SQLite, would let others read it.
    closeSync(openSync(partial, 'wx', 0o600))
  })
  try {
    write(partial)
    const file = openSync(partial, 'r+')
    fsyncSync(file)
    closeSync(file)
    publishFile(partial, path, { force: true })
  } finally {
    rmSync(partial, { force: true })
  }
}
