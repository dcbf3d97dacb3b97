import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partialOf, removeStale } from './partial-file.ts'

export interface TemporaryFolder {
  path: string
  remove(): void
}

/** Creates a private temporary folder, and removes those of killed processes. */
export function makeTemporaryFolder(): TemporaryFolder {
  const name = join(tmpdir(), 'migration-archive')
  removeStale(name)
  const path = partialOf(name)
  mkdirSync(path, { mode: 0o700 })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
