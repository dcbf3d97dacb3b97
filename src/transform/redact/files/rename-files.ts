import { posix } from 'node:path'
import type { Database } from '../../../database/open-database.ts'
import { editRecords } from '../../edit-records.ts'
import type { EditedRows } from '../../edited-rows.ts'
import type { Finding } from '../finding.ts'
import { noteFinding, type Redaction, redactText } from '../redact-records.ts'

const ROOT = 'tarball://root/'

/**
 * Gives files and entries, but those of Git data, names without values. Comes before the records, whose URLs become the same in
 * the same way. Two names may become one, as an address has one pseudonym in any case: then the second gets a number, as in
 * `notes (2).txt`, and the records that name it follow here.
 */
export function renameFiles(database: Database, redaction: Redaction): void {
  const asNames: Redaction = { ...redaction, mode: 'pseudonym' }
  const rename = createRenamer(database)
  const paths = database
    .prepare<[], { path: string; isFolder: number }>(
      `SELECT path, 0 AS isFolder FROM files WHERE role <> 'git' UNION
       SELECT path, role = 'directory' FROM entries WHERE role NOT IN ('git', 'records', 'schema', 'urls')`,
    )
    .all()
  const numbered = new Map<string, string>()
  const freeName = createFreeNames(paths.map(({ path }) => path))
  for (const { path, isFolder } of paths) {
    const now = redactText(path, asNames, noteName(redaction))
    if (now === path) continue
    const free = isFolder ? now : freeName(now)
    rename(path, free)
    if (free !== now) numbered.set(ROOT + path, ROOT + free)
  }
  renameInRecords(database, numbered, redaction.edited)
}

const noteName = (redaction: Redaction) => (finding: Finding) =>
  noteFinding(redaction.report, finding, { kind: 'files', member: 'path' }, () => ({
    entry: null,
    record: null,
  }))

/** Creates what gives a name, or the first with a number that no other file has. */
function createFreeNames(paths: readonly string[]): (path: string) => string {
  const taken = new Set(paths)
  const numbers = new Map<string, number>()
  return (path) => {
    const { dir, name, ext } = posix.parse(path)
    let free = path
    let number = numbers.get(path) ?? 1
    while (taken.has(free)) free = posix.join(dir, `${name} (${++number})${ext}`)
    taken.add(free)
    numbers.set(path, number)
    return free
  }
}

/** Creates what gives a file and its entries another path. */
function createRenamer(database: Database): (path: string, now: string) => void {
  const statements = [
    'UPDATE files SET path = :now WHERE path = :path',
    // A complete header has the old path in it.
    'UPDATE entries SET path = :now, whole_header = NULL WHERE path = :path',
  ].map((sql) => database.prepare<[{ path: string; now: string }]>(sql))
  return (path, now) => {
    for (const statement of statements) statement.run({ path, now })
  }
}

/** Follows with the members of records that name a file. */
function renameInRecords(
  database: Database,
  numbered: ReadonlyMap<string, string>,
  edited: EditedRows,
): void {
  if (numbered.size === 0) return
  editRecords(database, (value) => numbered.get(value) ?? value, {
    mayHold: (text) => text.includes(ROOT),
    edited,
  })
}
