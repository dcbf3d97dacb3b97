import { checkFile } from '../../database/contents/check-file.ts'
import type { Database } from '../../database/open-database.ts'
import { gitPath } from '../objects/git-path.ts'

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
 * them, such as alternates. Throws as `checkFile` does.
 */
export function* listObjectFiles(database: Database, repository: string): Generator<ObjectFile> {
  const folder = gitPath(repository, '')
  // A page starts from the stored path of the last row: text that is not UTF-8 would sort elsewhere once it was read.
  const page = database.prepare<[number, string, string], Omit<ObjectFile, 'path'>>(
    `SELECT max(id) AS id, path AS entry, size FROM files
     WHERE path > coalesce((SELECT path FROM files WHERE id = ?), ?) AND path < ?
     GROUP BY path ORDER BY path LIMIT ${PAGE}`,
  )
  // What follows the slash, so that everything in the folder is before it.
  const end = `${folder}objects0`
  for (let last = -1; ; ) {
    const rows = page.all(last, `${folder}objects/`, end)
    for (const row of rows) {
      const path = row.entry.slice(folder.length)
      last = row.id
      if (!OBJECT_FILE.test(path)) continue
      checkFile({ path: row.entry, size: row.size })
      yield { ...row, path }
    }
    if (rows.length < PAGE) return
  }
}
