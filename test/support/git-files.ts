/** Git data as the files of an archive. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Files } from './build-tar.ts'

/** The files of a bare repository, as the archive of `owner/name` has them. */
export function gitFiles(directory: string, name: string): Files {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`repositories/${name}.git/${relative(directory, path)}`, readFileSync(path)]),
  )
}
