import type { Database } from '../../database/open-database.ts'
import type { FileRow } from './stored-file.ts'

/** The packs that have an index, the largest first, where most objects are. */
export function findPacks(database: Database, folder: string): { pack: FileRow; index: FileRow }[] {
  const rows = database
    .prepare<[string, string], FileRow>(
      `SELECT max(id) AS id, path, size, stored FROM files
       WHERE path >= ? AND path < ? GROUP BY path`,
    )
    .all(folder, `${folder}\u{10ffff}`)
  const byPath = new Map(rows.map((row) => [row.path, row]))
  return rows
    .filter(({ path }) => path.endsWith('.pack'))
    .toSorted((a, b) => b.size - a.size)
    .flatMap((pack) => {
      const index = byPath.get(pack.path.replace(/pack$/, 'idx'))
      return index ? [{ pack, index }] : []
    })
}
