import { readFile } from '../../../database/contents/read-file.ts'
import type { Database } from '../../../database/open-database.ts'
import { gitPath } from '../../../git/objects/repository-files.ts'
import { createLineSplitter } from '../../../git/parse/parse-refs.ts'
import type { RewrittenHistory } from '../../../git/rewrite/rewrite-history.ts'
import { replaceContent } from '../../replace-content.ts'

/** Packs and indexes of objects that are gone, which Git makes again. */
const STALE = /^objects\/(?:pack\/.*|info\/(?:packs|commit-graphs?(?:\/.*)?))$/s

interface FileRow {
  id: number
  path: string
}

/** Puts the new pack in the place of all old ones. */
export function replaceObjects(
  database: Database,
  repository: string,
  { written, loose }: RewrittenHistory,
): void {
  const folder = gitPath(repository, '')
  const files = database
    .prepare<[string], FileRow>(
      `SELECT id, path FROM files WHERE repository = ? AND role = 'git' ORDER BY path, id DESC`,
    )
    .all(repository)
  const inFolder = ({ path }: FileRow) => path.slice(folder.length)
  const isLoose = new Set(loose)
  const stale = files.filter((file) => STALE.test(inFolder(file)) || isLoose.has(file.id))
  const [place] = stale as [FileRow, ...FileRow[]]
  const insert = database.prepare<[string, number], number>(
    `INSERT INTO files (archive, path, role, repository, size, sha256, mode, modified_at, stored)
     SELECT archive, ?, role, repository, 0, '', mode, modified_at, 1 FROM files WHERE id = ? RETURNING id`,
  )
  const addPack = database.prepare(
    'INSERT INTO git_packs SELECT archive, repository, path, 2, ? FROM files WHERE id = ?',
  )
  database.prepare('DELETE FROM git_packs WHERE repository = ?').run(repository)
  for (const [ending, bytes] of [
    ['pack', written.pack(Buffer.allocUnsafe(2 ** 18))],
    ['idx', written.index()],
  ] as const) {
    const path = `${folder}objects/pack/pack-${written.name}.${ending}`
    const file = insert.pluck().get(path, place.id) as number
    replaceContent(database, file, bytes)
    addPack.run(written.objects, file)
  }
  const remove = [
    'DELETE FROM file_chunks WHERE file = :id',
    'DELETE FROM files WHERE id = :id',
    "DELETE FROM entries WHERE path = :path AND role = 'git'",
  ].map((sql) => database.prepare(sql))
  for (const { id, path } of stale) {
    for (const statement of remove) statement.run(statement === remove[2] ? { path } : { id })
  }
}

/** Files that have ids of commits, beside those of loose refs. */
const WITH_IDS = ['HEAD', 'packed-refs', 'info/refs', 'info/grafts', 'shallow']

/** The ids at the beginning of a line: one or, in grafts, several. */
const FIRST_IDS = /^[\^0-9a-f ]*/
const ID = /(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g
/** The id that names a ref of a replacement. */
const REPLACED = /(?<=refs\/replace\/)[0-9a-f]{40}(?![0-9a-f])/g

/** Writes the new ids into refs, the lists of them, HEAD, grafts and `shallow`, and into names of refs that replace an object. */
export function renameRefs(database: Database, repository: string): void {
  const folder = gitPath(repository, '')
  const files = database
    .prepare<[string, string, string], number>(
      `SELECT id FROM files WHERE repository = ? AND role = 'git' AND stored AND (path GLOB ? OR path IN (
         SELECT ? || value FROM json_each('${JSON.stringify(WITH_IDS)}'))) ORDER BY id`,
    )
    .pluck()
    .all(repository, `${folder.replace(/[*?[]/g, '[$&]')}refs/*`, folder)
  const newOf = database
    .prepare<[string], string>('SELECT new FROM temp.renamed_objects WHERE old = ?')
    .pluck()
  const newId = (oid: string) => newOf.get(oid) ?? oid
  const renameIn = (line: string) => {
    const [ids = ''] = FIRST_IDS.exec(line) ?? []
    return ids.replace(ID, newId) + line.slice(ids.length).replace(REPLACED, newId)
  }
  for (const id of files) {
    // Read once to see whether anything changes: most loose refs may, but no large file is held.
    let isChanged = false
    let isRenamed = false
    for (const line of linesOf(database, id)) {
      const now = renameIn(line)
      isChanged ||= now !== line
      isRenamed ||= nameIn(now) !== nameIn(line)
    }
    if (!isChanged) continue
    const lines = linesOf(database, id)
      .map(renameIn)
      .map((line) => Buffer.from(isRenamed ? withoutOrder(line) : line, 'latin1'))
    replaceContent(database, id, lines)
  }
  renameReplacements(database, repository, renameIn)
}

/** The name of a ref in a line of packed refs. */
const nameIn = (line: string): string => line.slice(line.indexOf(' '))

/** The first line of packed refs, if these are no longer in the order of their names. */
export const withoutOrder = (line: string): string =>
  line.replace(/^(# pack-refs with:.*?) sorted/, '$1')

/** A ref below refs/replace has the name of the object in whose place Git reads another. */
function renameReplacements(
  database: Database,
  repository: string,
  renameIn: (name: string) => string,
): void {
  const begins = 'refs/replace/'
  const inFolder = gitPath(repository, begins)
  for (const [table, column, start, where] of [
    ['files', 'path', inFolder, 'repository = ?'],
    ['entries', 'path', inFolder, '? IS NOT NULL'],
    ['refs', 'name', begins, 'repository = ?'],
  ] as const) {
    const rows = database
      .prepare<[string, string, string], { id: bigint; name: string }>(
        `SELECT rowid AS id, ${column} AS name FROM ${table}
         WHERE ${where} AND ${column} >= ? AND ${column} < ?`,
      )
      .safeIntegers()
      .all(repository, start, `${start}g`)
    const header = table === 'entries' ? ', whole_header = NULL' : ''
    const update = database.prepare(`UPDATE ${table} SET ${column} = ?${header} WHERE rowid = ?`)
    for (const { id, name } of rows) {
      const now = renameIn(name)
      if (now !== name) update.run(now, id)
    }
  }
}

/** Longer lines have no ref, and are cut. */
export const LONGEST_LINE = 2 ** 16

/** The lines of a file with their ends, a character for each byte. */
export function* linesOf(database: Database, file: number): Generator<string> {
  let lines: string[] = []
  let last: number | undefined
  const splitter = createLineSplitter(LONGEST_LINE, (line) => {
    lines.push(line.toString('latin1'))
  })
  for (const piece of readFile(database, file)) {
    splitter.see(piece)
    last = piece.at(-1)
    for (const line of lines) yield `${line}\n`
    lines = []
  }
  splitter.end()
  if (lines[0] !== undefined && last !== undefined) yield lines[0]
}
