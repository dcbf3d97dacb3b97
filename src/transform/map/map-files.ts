import { renameStoredHeader } from '../../database/archive-layout.ts'
import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { COMMIT_TABLES } from '../../database/schema/commits-table.ts'
import { removeOrphanedChunks, replaceContent } from '../replace-content.ts'
import { texts } from './find-names.ts'
import type { UrlMapper } from './map-urls.ts'

/** What was renamed in files. */
interface MappedFiles {
  /** Files whose path or content changed. */
  files: number
  /** Entries whose own headers have no room for the new path: they get usual ones. */
  usualHeaders: number
}

/** Renames Git data: paths, names of repositories, and the file in which GitHub notes the name. */
export function mapFiles(database: Database, urls: UrlMapper): MappedFiles {
  let files = 0
  let usualHeaders = 0
  for (const table of ['files', 'refs', 'git_packs', ...COMMIT_TABLES]) {
    const update = database.prepare(`UPDATE ${table} SET repository = ? WHERE repository = ?`)
    const names = texts(
      database,
      `SELECT DISTINCT repository FROM ${table} WHERE repository IS NOT NULL`,
    )
    // Names may be exchanged: each gets a name that nothing has in between.
    const changes = names.map((name) => [name, urls.mapRepository(name)] as const)
    for (const [old, now] of changes) if (old !== now) update.run(`\n${old}`, old)
    for (const [old, now] of changes) if (old !== now) update.run(now, `\n${old}`)
  }
  const renameHeader = headerRenamer(database)
  const removeEntry = database.prepare('DELETE FROM entries WHERE rowid = ?')
  for (const [table, column] of [
    ['files', 'path'],
    ['git_packs', 'path'],
    ['entries', 'path'],
    ['problems', 'entry'],
  ] as const) {
    const rows = database
      .prepare<[], [bigint, string]>(
        `SELECT rowid, ${column} FROM ${table} WHERE ${column} LIKE 'repositories/%'`,
      )
      .raw()
      .safeIntegers()
      .all()
    const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`)
    const paths = new Map(rows.map(([, path]) => [path, urls.mapPath(path)]))
    if (table === 'entries') moveFolders(paths)
    for (const [rowid, path] of rows) {
      const now = paths.get(path)
      if (now === path) continue
      if (now === undefined) {
        removeEntry.run(rowid)
        continue
      }
      update.run(now, rowid)
      if (table === 'entries' && !renameHeader(rowid, path, now)) usualHeaders++
      if (table === 'files') files++
    }
  }
  files += mapNotes(database, urls) + mapDocuments(database, urls)
  return { files, usualHeaders }
}

/** The folder of an owner, and the rest of a path in it. */
const OWNER_FOLDER = /^(repositories\/[^/]+\/)(.*)$/s

/**
 * Lets the folder of an owner follow when all that is in it moves to the folder of another one: it gets that path, or none if
 * another entry has it.
 */
function moveFolders(paths: Map<string, string>): void {
  const moves = new Map<string, Set<string>>()
  for (const [path, now] of paths) {
    const [, folder, rest] = OWNER_FOLDER.exec(path) ?? []
    const next = OWNER_FOLDER.exec(now)?.[1]
    if (!folder || !rest || !next) continue
    moves.set(folder, (moves.get(folder) ?? new Set()).add(next))
  }
  const taken = new Set(paths.values())
  for (const [folder, targets] of moves) {
    if (!paths.has(folder) || targets.has(paths.get(folder) as string)) continue
    const target = [...targets].find((each) => !taken.has(each))
    if (target === undefined) paths.delete(folder)
    else {
      paths.set(folder, target)
      taken.add(target)
    }
  }
}

/** Puts the new path of an entry into its complete header, if it has one. False if the entry gets a usual one, as that cannot be done. */
function headerRenamer(database: Database) {
  const read = database
    .prepare<[bigint], Buffer | null>('SELECT whole_header FROM entries WHERE rowid = ?')
    .pluck()
  const write = database.prepare('UPDATE entries SET whole_header = ? WHERE rowid = ?')
  return (rowid: bigint, path: string, now: string): boolean => {
    const header = read.get(rowid)
    if (!header) return true
    const rename = (name: string) =>
      name.endsWith(path) ? name.slice(0, name.length - path.length) + now : name
    const renamed = renameStoredHeader(header, rename)
    write.run(renamed ?? null, rowid)
    return renamed !== undefined
  }
}

function mapNotes(database: Database, urls: UrlMapper): number {
  const files = database
    .prepare<[], { id: number; stored: number }>(
      `SELECT id, stored FROM files WHERE path LIKE 'repositories/%.git/info/nwo' AND size < 1000`,
    )
    .all()
  let count = 0
  for (const { id } of files.filter(({ stored }) => stored)) {
    const text = Buffer.concat([...readFile(database, id)]).toString('utf8')
    const [, name = '', end = ''] = /^([^/\s]+\/[^/\s]+)(\s*)$/.exec(text) ?? []
    const now = urls.mapRepository(name)
    if (name === '' || now === name) continue
    replaceContent(database, id, Buffer.from(now + end))
    count++
  }
  if (count > 0) removeOrphanedChunks(database)
  return count
}

/** The templates of URLs in urls.json. */
function mapDocuments(database: Database, urls: UrlMapper): number {
  const rows = database
    .prepare<[], { id: number; urls: string }>(
      'SELECT id, urls FROM archives WHERE urls IS NOT NULL',
    )
    .all()
  const update = database.prepare('UPDATE archives SET urls = ? WHERE id = ?')
  let count = 0
  for (const row of rows) {
    const now = urls.mapUrls(row.urls)
    if (now === row.urls) continue
    update.run(now, row.id)
    count++
  }
  return count
}
