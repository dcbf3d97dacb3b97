import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

/** Gives a run of all tests a temporary folder of its own: not even a test that is killed leaves anything. */
export function setup(): void {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'marc-tests-')))
  // What is in it may be for other users, whom some tests become.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
}

export function teardown(): void {
  if (folder) rmSync(folder, { recursive: true, force: true })
}
