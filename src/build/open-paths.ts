import type { Database } from '../database/open-database.ts'
import { ArchiveError, type ErrorCode } from '../errors.ts'
import { openLookup } from './open-lookup.ts'

const oddIn = (table: string) => `SELECT CAST(path AS TEXT) FROM ${table}
  WHERE typeof(path) <> 'text' OR '/' || path || '/' LIKE '%//%' OR '/' || path || '/' LIKE '%/./%'`

// Where an archive had one path twice, that was told when it was loaded, and the last one holds.
const REPEATED = `SELECT path FROM files GROUP BY path HAVING count(*) > 1
  AND path NOT IN (SELECT entry FROM problems WHERE code = 'entry-repeated' AND entry IS NOT NULL)`

const FOLDERS = `SELECT path FROM files AS f WHERE EXISTS (
  SELECT 1 FROM files WHERE path > f.path || '/' AND path < f.path || '0')`

/**
 * Makes sure that every entry of an archive has a path of its own, whatever SQL did to them: looks at those of files
 * at once, and at any other as it is claimed. Throws `database-damaged` for what is no path, and `entry-repeated` for
 * what is the path of another entry, or of a folder that others are in.
 */
export function openPaths(
  database: Database,
  { files }: { files: boolean },
): (path: string) => void {
  const refuseAny = (select: string, message: string, code?: ErrorCode) => {
    const path = database.prepare<[], string>(`${select} LIMIT 1`).pluck().get()
    if (path !== undefined) refuse(path, message, code)
  }
  refuseAny(oddIn('shards'), 'this is not the path of a file', 'database-damaged')
  if (files) {
    refuseAny(oddIn('files'), 'this is not the path of a file', 'database-damaged')
    refuseAny(REPEATED, 'several files have this path')
    refuseAny(FOLDERS, 'this is a file, and a folder that other files are in')
  }
  const { hasFile } = openLookup(database)
  const claimed = new Set<string>()
  return (path) => {
    if (claimed.has(path)) refuse(path, 'several files of records have this path')
    if (files && hasFile(path)) refuse(path, 'a file of records and other files have this path')
    claimed.add(path)
  }
}

function refuse(entry: string, message: string, code: ErrorCode = 'entry-repeated'): never {
  throw new ArchiveError(code, message, { entry })
}
