/** The files of a bare repository, as the archive has them. */

import { createHash } from 'node:crypto'
import type { Database } from '../../database/open-database.ts'
import { gitPath } from '../../git/objects/repository-files.ts'

/** Whether the archive has files of a repository, by its name. */
export const hasGitFiles = (database: Database, name: string): boolean =>
  database.prepare('SELECT 1 FROM files WHERE repository = ? LIMIT 1').get(name) !== undefined

/** A key of everything that a clone of a repository is made from: names, sizes and checksums of its files. */
export function stampOfGit(database: Database, name: string): string {
  const folder = gitPath(name, '')
  const rows = database
    .prepare<[string, string], [string, number, string | null]>(
      `SELECT substr(path, ${folder.length + 1}), size, sha256 FROM files
       WHERE path >= ? AND path < ? ORDER BY path, id`,
    )
    .raw()
  const hash = createHash('sha256')
  for (const row of rows.iterate(folder, `${folder.slice(0, -1)}0`)) {
    hash.update(`${JSON.stringify(row)}\n`)
  }
  return hash.digest('hex').slice(0, 40)
}
