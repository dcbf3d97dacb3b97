import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partialOf, removeStale } from './partial-file.ts'

export interface TemporaryFolder {
  path: string
  remove(): void
}

/** Creates a private temporary folder, in that of the system or in another one, and removes those of killed processes. */
export function makeTemporaryFolder(within = tmpdir()): TemporaryFolder {
  const name = join(within, 'migration-archive')
  removeStale(name)
  const path = partialOf(name)
  mkdirSync(path, { mode: 0o700 })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
