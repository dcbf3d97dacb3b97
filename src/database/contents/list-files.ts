import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { checkFile } from './check-file.ts'

/** A file in the database. */
export interface StoredFile {
  id: number
  path: string
  role: string
  repository: string | null
  size: number
  mode: number
  modifiedAt: string
  /** Whether its content is stored. */
  stored: boolean
}

export const FILE_ROLES = [
  'git',
  'lfs',
  'attachment',
  'repository-file',
  'release-asset',
  'audit-log',
  'unknown',
] as const

/** The purpose of a file. */
export type FileRole = (typeof FILE_ROLES)[number]

const PAGE = 500
const SCHEME = 'tarball://root/'

type FileRow = Omit<StoredFile, 'stored'> & { stored: number }

const COLUMNS = 'path, role, repository, size, mode, modified_at AS modifiedAt, stored'

const chosenAlone = (chosen: boolean) =>
  chosen ? 'AND path IN (SELECT path FROM temp.chosen_files)' : ''

function fromRow(row: FileRow): StoredFile {
  checkFile(row)
  return { ...row, stored: row.stored !== 0 }
}

/**
 * Lists files by path, only the last of several with one path. With `chosen`, only those in the temporary table
 * `chosen_files`; with `newTo`, only those that this archive did not have. No statement stays open. Throws as
 * `checkFile` does.
 */
export function* listFiles(
  database: Database,
  { chosen = false, newTo }: { chosen?: boolean; newTo?: number | undefined } = {},
): Generator<StoredFile> {
  const isNew =
    newTo === undefined ? '' : `AND path NOT IN (SELECT path FROM entries WHERE archive = ${newTo})`
  // A page starts at the stored path of the last row: text that is not UTF-8 sorts differently once it is read.
  const page = database.prepare<[number], FileRow>(`
    SELECT max(id) AS id, ${COLUMNS} FROM files
    WHERE path > coalesce((SELECT path FROM files WHERE id = ?), '') ${chosenAlone(chosen)} ${isNew}
    GROUP BY path ORDER BY path LIMIT ${PAGE}`)
  for (let last = -1; ; ) {
    const rows = page.all(last)
    yield* rows.map(fromRow)
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id as number
  }
}

/** Finds the last file with a path; with `chosen`, only in the temporary table `chosen_files`. Throws as `checkFile` does. */
export function createFileFinder(
  database: Database,
  { chosen }: { chosen: boolean },
): (path: string) => StoredFile | undefined {
  const find = prepareOnce<[string], FileRow>(
    database,
    `SELECT id, ${COLUMNS} FROM files WHERE path = ? ${chosenAlone(chosen)} ORDER BY id DESC LIMIT 1`,
  )
  return (path) => {
    const row = find.get(path)
    return row && fromRow(row)
  }
}

/** A FROM clause for the chosen rows of a table, as `o`. */
export const chosenRows =
  (tables: readonly string[]) =>
  (table: string): string =>
    `temp.chosen AS c CROSS JOIN ${table} AS o ON c."table" = ${tables.indexOf(table)} AND o.rowid = c.id`

/** SELECTs for the paths of uploads in records; `rowsOf` gives the FROM clause of each table. */
export function namedFiles(tables: readonly string[], rowsOf: (table: string) => string): string[] {
  const named = (url: string, from: string) =>
    `SELECT substr(${url}, ${SCHEME.length + 1}) AS path FROM ${from} WHERE ${url} LIKE '${SCHEME}_%'`
  const assets = 'CASE WHEN json_valid(o.release_assets) THEN o.release_assets END'
  const asset = `CASE e.type WHEN 'object' THEN e.value ->> 'asset_url' END`
  const selects = {
    attachments: named('o.asset_url', rowsOf('attachments')),
    repository_files: named('o.file_url', rowsOf('repository_files')),
    releases: named(asset, `${rowsOf('releases')}, json_each(${assets}) AS e`),
  }
  return Object.entries(selects).flatMap(([table, select]) =>
    tables.includes(table) ? select : [],
  )
}

/**
 * Fills the temporary table `chosen_files` with the paths of the files of chosen records: attachments, repository files,
 * release assets, and with `git` the Git data of repositories; `withoutRoles` leaves files out by their role.
 */
export function selectFiles(
  database: Database,
  tables: readonly string[],
  { git, withoutRoles = [] }: { git: boolean; withoutRoles?: readonly FileRole[] | undefined },
): void {
  database.exec(
    'CREATE TEMP TABLE IF NOT EXISTS chosen_files (path TEXT PRIMARY KEY) WITHOUT ROWID',
  )
  const rowsOf = chosenRows(tables)
  const add = (select: string) =>
    prepareOnce(database, `INSERT OR IGNORE INTO temp.chosen_files ${select}`).run()
  for (const select of namedFiles(tables, rowsOf)) add(select)
  // Extracts owner/name, as in files.repository, from tarball://root/repositories/owner/name.git.
  const start = `${SCHEME}repositories/`.length
  const folder = (url: string) => `substr(${url}, ${start + 1}, length(${url}) - ${start + 4})`
  if (git && tables.includes('repositories')) {
    add(
      `SELECT path FROM files WHERE repository IN (
       SELECT o.full_name FROM ${rowsOf('repositories')}
       UNION SELECT o.full_name || '.wiki' FROM ${rowsOf('repositories')}
       UNION SELECT ${folder('o.git_url')} FROM ${rowsOf('repositories')}
       UNION SELECT ${folder('o.wiki_url')} FROM ${rowsOf('repositories')})`,
    )
  }
  const remove = database.prepare(
    'DELETE FROM temp.chosen_files WHERE path IN (SELECT path FROM files WHERE role = ?)',
  )
  for (const role of withoutRoles) remove.run(role)
}

/**
 * Fills the temporary table `chosen_files` with the paths of all files but those that only records which are left out
 * name, and the Git data of repositories that are left out.
 */
export function selectOtherFiles(database: Database, tables: readonly string[]): void {
  selectFiles(database, tables, { git: true })
  const leftOut = (table: string) =>
    `(SELECT * FROM ${table} AS t WHERE NOT EXISTS (
      SELECT 1 FROM temp.chosen WHERE "table" = ${tables.indexOf(table)} AND id = t.rowid)) AS o`
  const named = namedFiles(tables, leftOut)
  const repositories = tables.includes('repositories')
    ? `SELECT full_name FROM ${leftOut('repositories')}
       UNION SELECT full_name || '.wiki' FROM ${leftOut('repositories')}`
    : 'SELECT NULL WHERE false'
  database.exec(`
    CREATE TEMP TABLE removed_files (path TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT OR IGNORE INTO temp.removed_files
    SELECT path FROM files WHERE repository IN (${repositories})
    ${named.map((select) => `UNION ${select}`).join(' ')};
    INSERT OR IGNORE INTO temp.chosen_files
    SELECT path FROM files WHERE path NOT IN (SELECT path FROM temp.removed_files)`)
}

/** Bytes of all record files as loaded, and with `files` of all other files. */
export function sizeOf(database: Database, { files }: { files: boolean }): number {
  const others = files ? 'UNION ALL SELECT size FROM files' : ''
  return database
    .prepare<[], number>(
      `SELECT coalesce(sum(size), 0) FROM (SELECT size FROM record_files ${others})`,
    )
    .pluck()
    .get() as number
}
