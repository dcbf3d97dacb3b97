import type { Database } from '../database/open-database.ts'
import { gitPath } from './git-path.ts'

/** A file of a repository that holds objects, or the index of a pack. */
export interface ObjectFile {
  id: number
  /** Path in the archive. */
  entry: string
  /** Path in the repository. */
  path: string
  size: number
}

const PAGE = 500
const OBJECT_FILE = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]+\.(?:pack|idx))$/

/**
 * The files that hold a repository's objects, in the order of their paths; nothing else that may lie beside
 * them, such as alternates.
 */
export function* listObjectFiles(database: Database, repository: string): Generator<ObjectFile> {
  const folder = gitPath(repository, '')
  const page = database.prepare<[string, string], Omit<ObjectFile, 'path'>>(
    `SELECT max(id) AS id, path AS entry, size FROM files
     WHERE path > ? AND path < ? GROUP BY path ORDER BY path LIMIT ${PAGE}`,
  )
  // What follows the slash, so that everything in the folder is before it.
  const end = `${folder}objects0`
  for (let last = `${folder}objects/`; ; ) {
    const rows = page.all(last, end)
    for (const row of rows) {
      const path = row.entry.slice(folder.length)
      if (OBJECT_FILE.test(path)) yield { ...row, path }
      last = row.entry
    }
    if (rows.length < PAGE) return
  }
}
