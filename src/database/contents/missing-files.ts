import { roleOf } from '../../archive/entry-role.ts'
import type { Database } from '../open-database.ts'
import { chosenRows, namedFiles } from './list-files.ts'

/** A file that was loaded, is in the table `files` no more, and is needed all the same. */
export interface MissingFile {
  /** The rule that an archive without it breaks. */
  code: 'file-missing' | 'git-missing'
  path: string
  /** What needs it. */
  message: string
}

/** What a repository cannot do without: refs, loose objects, packs and their indexes. Logs, hooks and settings it can. */
const ESSENTIAL =
  /^(?:HEAD|packed-refs|shallow|refs\/.+|objects\/(?:[0-9a-f]{2}\/[0-9a-f]+|pack\/[^/]+\.(?:pack|idx)))$/s

/**
 * Files that were loaded and deleted since, although a record names them, or although they are part of a repository of
 * which other files are still there, or which a record names. With `chosen` only chosen records and files count.
 */
export function* findMissingFiles(
  database: Database,
  tables: readonly string[],
  { chosen, part, git }: { chosen: boolean; part: 'git' | 'metadata' | undefined; git: boolean },
): Generator<MissingFile> {
  database.exec(`
    CREATE TEMP TABLE deleted_files AS SELECT path, role FROM entries AS e
    WHERE sha256 IS NOT NULL AND role NOT IN ('schema', 'urls', 'directory')
      AND NOT EXISTS (SELECT 1 FROM files WHERE path = e.path)`)
  if (part !== 'git') yield* missingUploads(database, tables, chosen)
  if (part !== 'metadata' && git) yield* missingGitFiles(database, tables, chosen)
}

const PAGE = 500

/** Reads page by page, so that no statement stays open. */
function* deletedFiles(database: Database, where: string): Generator<string> {
  const page = database.prepare<[number], { id: number; path: string }>(
    `SELECT rowid AS id, path FROM temp.deleted_files
     WHERE rowid > ? AND ${where} ORDER BY rowid LIMIT ${PAGE}`,
  )
  for (let last = -1; ; ) {
    const rows = page.all(last)
    for (const { path } of rows) yield path
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id as number
  }
}

function* missingUploads(
  database: Database,
  tables: readonly string[],
  chosen: boolean,
): Generator<MissingFile> {
  const isUpload = "role <> 'git'"
  const some = database.prepare(`SELECT 1 FROM temp.deleted_files WHERE ${isUpload} LIMIT 1`)
  if (some.get() === undefined) return
  const rowsOf = chosen ? chosenRows(tables) : (table: string) => `${table} AS o`
  const selects = namedFiles(tables, rowsOf)
  if (selects.length === 0) return
  database.exec('CREATE TEMP TABLE named_files (path TEXT PRIMARY KEY) WITHOUT ROWID')
  for (const select of selects) {
    database.exec(`INSERT OR IGNORE INTO temp.named_files
      SELECT path FROM (${select}) WHERE path IN (SELECT path FROM temp.deleted_files)`)
  }
  const isNamed = 'path IN (SELECT path FROM temp.named_files)'
  for (const path of deletedFiles(database, `${isUpload} AND ${isNamed}`)) {
    const message = 'a record names this file, which was loaded and deleted since'
    yield { code: 'file-missing', path, message }
  }
}

function* missingGitFiles(
  database: Database,
  tables: readonly string[],
  chosen: boolean,
): Generator<MissingFile> {
  const files = chosen ? 'temp.chosen_files' : 'files'
  const remains = database.prepare<[string, string], number>(
    `SELECT 1 FROM ${files} WHERE path > ? AND path < ? LIMIT 1`,
  )
  const rows = chosen ? chosenRows(tables)('repositories') : 'repositories AS o'
  const named = tables.includes('repositories')
    ? database.prepare<[string, string], number>(
        `SELECT 1 FROM ${rows} WHERE o.git_url = ? OR o.wiki_url = ? LIMIT 1`,
      )
    : undefined
  const known = new Map<string, boolean>()
  for (const path of deletedFiles(database, "role = 'git'")) {
    const role = roleOf(path)
    if (role.role !== 'git' || !ESSENTIAL.test(role.path)) continue
    const folder = `repositories/${role.repository}.git`
    const url = `tarball://root/${folder}`
    const isNeeded =
      known.get(folder) ??
      (remains.get(`${folder}/`, `${folder}0`) !== undefined || named?.get(url, url) !== undefined)
    known.set(folder, isNeeded)
    if (!isNeeded) continue
    const message = `this part of the repository ${role.repository} was loaded and deleted since`
    yield { code: 'git-missing', path, message }
  }
}
