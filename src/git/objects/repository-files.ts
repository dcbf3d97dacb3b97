import { pathOf } from '../../archive/entry-role.ts'
import { ArchiveError } from '../../base/errors.ts'
import { checkFile } from '../../database/contents/check-file.ts'
import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { createLineSplitter } from '../parse/parse-refs.ts'
import { isPackFile } from './pack-index.ts'
import type { FileRow } from './random-access-file.ts'

/** The path of a repository, or of a file in it, in the archive. */
export const gitPath = (repository: string, path?: string): string =>
  path === undefined
    ? pathOf({ role: 'git', repository, path: '' }).slice(0, -1)
    : pathOf({ role: 'git', repository, path })

/**
 * Throws `git-unsupported` if a repository uses reftables or SHA-256, and `content-missing` if its objects were not
 * stored.
 */
export function checkStored(database: Database, repository: string): void {
  checkSupported(database, repository)
  if (areObjectsStored(database, repository)) return
  const message = 'the objects of this repository were not stored when it was loaded'
  throw new ArchiveError('content-missing', message, { entry: gitPath(repository) })
}

/** Whether the contents of packs, indexes and loose objects were stored. */
export const areObjectsStored = (database: Database, repository: string): boolean =>
  database
    .prepare('SELECT 1 FROM files WHERE path GLOB ? AND size > 0 AND NOT stored LIMIT 1')
    .get(`${globOf(gitPath(repository, 'objects/'))}*`) === undefined

/** Whether a repository has any pack or loose object, stored or not. */
export function hasObjects(database: Database, repository: string): boolean {
  const folder = globOf(gitPath(repository, 'objects/'))
  const statement = 'SELECT 1 FROM files WHERE (path GLOB ? OR path GLOB ?) AND size > 0 LIMIT 1'
  return (
    database.prepare(statement).get(`${folder}pack/*.pack`, `${folder}[0-9a-f][0-9a-f]/*`) !==
    undefined
  )
}

/** Throws `git-unsupported` if a repository uses reftables or SHA-256. */
export function checkSupported(database: Database, repository: string): void {
  const place = { entry: gitPath(repository) }
  const has = (select: string, ...values: string[]) =>
    database.prepare(`${select} LIMIT 1`).get(...values) !== undefined
  if (has('SELECT 1 FROM files WHERE path = ?', gitPath(repository, 'reftable/tables.list'))) {
    throw new ArchiveError('git-unsupported', 'the repository stores its refs as reftable', place)
  }
  if (has('SELECT 1 FROM refs WHERE repository = ? AND length(oid) = 64', repository)) {
    throw new ArchiveError(
      'git-unsupported',
      'the repository uses object ids other than SHA-1',
      place,
    )
  }
}

const globOf = (text: string) => text.replace(/[*?[]/g, '[$&]')

/** The packs that have an index, largest first. */
export function findPacks(database: Database, folder: string): { pack: FileRow; index: FileRow }[] {
  const rows = database
    .prepare<[string, string], FileRow>(
      `SELECT max(id) AS id, path, size, stored FROM files
       WHERE path >= ? AND path < ? GROUP BY path`,
    )
    .all(folder, `${folder}\u{10ffff}`)
  const byPath = new Map(rows.map((row) => [row.path, row]))
  return rows
    .filter(({ path }) => path.endsWith('.pack') && isPackFile(path.slice(folder.length)))
    .toSorted((a, b) => b.size - a.size)
    .flatMap((pack) => {
      const index = byPath.get(pack.path.replace(/pack$/, 'idx'))
      return index ? [{ pack, index }] : []
    })
}

/** A loose object, a pack or a pack index. */
export interface ObjectFile {
  id: number
  /** Path in the archive. */
  entry: string
  /** Path in the repository. */
  path: string
  size: number
}

const PAGE = 500
const LOOSE_FILE = /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/
const PACKS = 'objects/pack/'

const isObjectFile = (path: string): boolean =>
  path.startsWith(PACKS) ? isPackFile(path.slice(PACKS.length)) : LOOSE_FILE.test(path)

/** Lists the loose objects, packs and pack indexes of a repository by path. Throws as `checkFile` does. */
export function* listObjectFiles(database: Database, repository: string): Generator<ObjectFile> {
  const folder = gitPath(repository, '')
  // A page starts from the stored path of the last row, because text that is not UTF-8 sorts differently once decoded. Its
  // id is read as text, because a number may not hold it.
  const page = database.prepare<
    [string, string, string],
    Omit<ObjectFile, 'path'> & { exact: string }
  >(
    `SELECT max(id) AS id, CAST(max(id) AS TEXT) AS exact, path AS entry, size FROM files
     WHERE path > coalesce((SELECT path FROM files WHERE id = ?), ?) AND path < ?
     GROUP BY path ORDER BY path LIMIT ${PAGE}`,
  )
  // '0' follows '/': everything in the folder sorts before it.
  const end = `${folder}objects0`
  for (let last = ''; ; ) {
    const rows = page.all(last, `${folder}objects/`, end)
    for (const { exact, ...row } of rows) {
      const path = row.entry.slice(folder.length)
      last = exact
      if (!isObjectFile(path)) continue
      checkFile({ path: row.entry, size: row.size, id: row.id })
      yield { ...row, path }
    }
    if (rows.length < PAGE) return
  }
}

/** The loose objects of a repository. */
interface LooseFiles {
  find(oid: string): FileRow | undefined
  startingWith(digits: string, limit: number): string[]
}

export function createLooseFiles(database: Database, repository: string): LooseFiles {
  const pathOf = (digits: string) =>
    gitPath(repository, `objects/${digits.slice(0, 2)}/${digits.slice(2)}`)
  const exact = database.prepare<[string], FileRow>(
    'SELECT id, path, size, stored FROM files WHERE path = ? ORDER BY id DESC LIMIT 1',
  )
  const between = database
    .prepare<[string, string, number], string>(
      'SELECT path FROM files WHERE path >= ? AND path < ? LIMIT +?',
    )
    .pluck()
  const folder = gitPath(repository, 'objects/')
  // Most archives have no loose objects.
  if (between.get(`${folder}0`, `${folder}g`, 1) === undefined) {
    return { find: () => undefined, startingWith: () => [] }
  }
  return {
    find: (oid) => exact.get(pathOf(oid)),
    startingWith: (digits, most) =>
      between
        .all(pathOf(digits), `${pathOf(digits)}g`, most)
        .map((path) => path.slice(folder.length).replace('/', '')),
  }
}

export const ALTERNATES = 'objects/info/alternates'

/** The alternate object folders that a repository names. */
export const readAlternates = (database: Database, repository: string): string[] => {
  const found: string[] = []
  for (const line of readLines(database, repository, ALTERNATES)) {
    if (line !== '' && !line.startsWith('#')) found.push(line)
    if (found.length === MOST) break
  }
  return found
}

// Git follows five levels of them; real repositories have one or two.
const MOST = 100

const LONGEST_LINE = 4096

/** The lines of a text file of a repository, truncated to 4 KiB; none if the file is missing or not stored. */
export function* readLines(
  database: Database,
  repository: string,
  path: string,
): Generator<string> {
  const file = database
    .prepare<[string], number>('SELECT id FROM files WHERE path = ? ORDER BY id DESC LIMIT 1')
    .pluck()
    .get(gitPath(repository, path))
  if (file === undefined) return
  let lines: string[] = []
  const splitter = createLineSplitter(LONGEST_LINE, (line) => lines.push(line.toString().trimEnd()))
  for (const piece of readFile(database, file)) {
    splitter.see(piece)
    yield* lines
    lines = []
  }
  splitter.end()
  yield* lines
}
