import { ArchiveError } from '../base/errors.ts'
import { checkFile } from '../database/contents/check-file.ts'
import type { Database } from '../database/open-database.ts'
import { createLookup } from './lookup.ts'

// If an archive had a path twice, the load reported it, and the last file counts.
const IS_REPORTED =
  "IN (SELECT entry FROM problems WHERE code = 'entry-repeated' AND entry IS NOT NULL)"

const REPEATED = `SELECT path FROM files WHERE NOT path ${IS_REPORTED}
  GROUP BY path HAVING count(*) > 1`

const FOLDERS = `SELECT path FROM files AS f WHERE EXISTS (
  SELECT 1 FROM files WHERE path > f.path || '/' AND path < f.path || '0')
  AND NOT path ${IS_REPORTED}`

/**
 * Ensures that every entry of an archive has a unique path, whatever SQL changed: checks the paths of files at once,
 * and others when they are claimed. Throws `database-damaged` or `path-hostile` for an invalid path, and
 * `entry-repeated` for the path of another entry or of a folder, unless the load reported it.
 */
export function claimPaths(
  database: Database,
  { files }: { files: boolean },
): (path: string) => void {
  const refuseAny = (select: string, message: string) => {
    const path = database.prepare<[], string>(`${select} LIMIT 1`).pluck().get()
    if (path !== undefined) refuse(path, message)
  }
  checkPaths(database, 'record_files')
  if (files) {
    checkPaths(database, 'files')
    refuseAny(REPEATED, 'several files have this path')
    refuseAny(FOLDERS, 'both a file and a folder have this path')
  }
  const { isFile, hasFolder } = createLookup(database)
  const isReported = database.prepare<[string], number>(`SELECT ? ${IS_REPORTED}`).pluck()
  const isTaken = (path: string) => isFile(path) || (hasFolder(path) && !isReported.get(path))
  const claimed = new Set<string>()
  return (path) => {
    if (claimed.has(path)) refuse(path, 'several record files have this path')
    if (files && isTaken(path)) refuse(path, 'a record file and other files have this path')
    claimed.add(path)
  }
}

function checkPaths(database: Database, table: 'record_files' | 'files'): void {
  const paths = database.prepare<[], { path: unknown }>(`SELECT path FROM ${table}`)
  for (const row of paths.iterate()) checkFile(row)
}

function refuse(entry: string, message: string): never {
  throw new ArchiveError('entry-repeated', message, { entry })
}
