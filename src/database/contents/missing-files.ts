import { roleOf } from '../../archive/entry-role.ts'
import type { Database } from '../open-database.ts'
import { readPages } from '../read-pages.ts'
import { chosenRows, namedFiles } from './list-files.ts'

/** A file that was loaded, was deleted from the table `files`, and is still needed. */
export interface MissingFile {
  /** The rule that an archive without it violates. */
  code: 'file-missing' | 'git-missing'
  path: string
  /** The record that needs it. */
  message: string
}

/** The files a repository needs: refs, loose objects, packs and their indexes; not logs, hooks and configuration. */
const ESSENTIAL =
  /^(?:HEAD|packed-refs|shallow|refs\/.+|objects\/(?:[0-9a-f]{2}\/[0-9a-f]+|pack\/[^/]+\.(?:pack|idx)))$/s

/**
 * Finds deleted files that a record refers to, or that belong to a repository of which other files are left or which a
 * record refers to. With `chosen`, only chosen records and files count.
 */
export function* findMissingFiles(
  database: Database,
  tables: readonly string[],
  { chosen, part, git }: { chosen: boolean; part: 'git' | 'metadata' | undefined; git: boolean },
): Generator<MissingFile> {
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS deleted_files AS SELECT path, role FROM entries AS e
    WHERE sha256 IS NOT NULL AND role NOT IN ('schema', 'urls', 'directory')
      AND NOT EXISTS (SELECT 1 FROM files WHERE path = e.path)`)
  if (part !== 'git') yield* missingUploads(database, tables, chosen)
  if (part !== 'metadata' && git) yield* missingGitFiles(database, tables, chosen)
}

const PAGE = 500

/** Reads in pages, so that no statement stays open. */
function* deletedFiles(database: Database, where: string): Generator<string> {
  const pages = readPages<{ path: string }>(database, {
    columns: 'path',
    from: 'temp.deleted_files',
    where,
    size: PAGE,
  })
  for (const rows of pages) for (const { path } of rows) yield path
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
  database.exec('CREATE TEMP TABLE IF NOT EXISTS named_files (path TEXT PRIMARY KEY) WITHOUT ROWID')
  for (const select of selects) {
    database.exec(`INSERT OR IGNORE INTO temp.named_files
      SELECT path FROM (${select}) WHERE path IN (SELECT path FROM temp.deleted_files)`)
  }
  const isNamed = 'path IN (SELECT path FROM temp.named_files)'
  for (const path of deletedFiles(database, `${isUpload} AND ${isNamed}`)) {
    const message = 'a record refers to this file, which was deleted after loading'
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
    const message = `this file of the repository ${role.repository} was deleted after loading`
    yield { code: 'git-missing', path, message }
  }
}
