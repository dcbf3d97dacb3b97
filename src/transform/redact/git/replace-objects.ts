import { readFile } from '../../../database/contents/read-file.ts'
import type { Database } from '../../../database/open-database.ts'
import { gitPath } from '../../../git/objects/repository-files.ts'
import { createLineSplitter } from '../../../git/parse/parse-refs.ts'
import type { RewrittenHistory } from '../../../git/rewrite/rewrite-history.ts'
import { replaceContent } from '../../replace-content.ts'

/** Indexes of objects that are gone, which Git makes again. */
const STALE =
  /^(?:objects\/pack\/.*|objects\/info\/(?:packs|commit-graphs?(?:\/.*)?)|(?:ORIG|FETCH|MERGE)_HEAD)$/

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
    ['pack', written.pack()],
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

/** Writes the new ids into refs, the lists of them, HEAD and `shallow`. */
export function renameRefs(database: Database, repository: string): void {
  const files = database
    .prepare<[string, string, string], number>(
      `SELECT id FROM files WHERE repository = ? AND role = 'git' AND stored AND (path GLOB ? OR path IN (
         SELECT ? || value FROM json_each('["HEAD", "packed-refs", "info/refs", "shallow"]'))) ORDER BY id`,
    )
    .pluck()
    .all(
      repository,
      `${gitPath(repository, 'refs/').replace(/[*?[]/g, '[$&]')}*`,
      gitPath(repository, ''),
    )
  const newOf = database
    .prepare<[string], string>('SELECT new FROM temp.renamed_objects WHERE old = ?')
    .pluck()
  for (const id of files) {
    let isChanged = false
    const rename = (line: string) =>
      line.replace(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/, (oid) => {
        const now = newOf.get(oid) ?? oid
        isChanged ||= now !== oid
        return now
      })
    // Read once to see whether anything changes: most loose refs may, but no large file is held.
    for (const line of linesOf(database, id)) rename(line)
    if (!isChanged) continue
    const lines = linesOf(database, id).map((line) => Buffer.from(rename(line), 'latin1'))
    replaceContent(database, id, [...lines])
  }
}

/** Longer lines have no ref. */
const LONGEST_LINE = 2 ** 16

/** The lines of a file with their ends, a character for each byte. */
function* linesOf(database: Database, file: number): Generator<string> {
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
