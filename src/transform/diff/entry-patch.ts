import type { Database } from '../../database/open-database.ts'
import { readPages } from '../../database/read-pages.ts'
import type { SqlValue } from '../../database/schema/row-layout.ts'
import { gitPath } from '../../git/objects/repository-files.ts'
import { SIDES } from './changed-rows.ts'
import { literal } from './sql-literal.ts'

/** SQL for the archive that new rows belong to. */
export const LAST_ARCHIVE = 'coalesce((SELECT max(id) FROM archives), 1)'

/** Makes the SQL for the tar entries of files that are replaced. */
export interface EntryPatch {
  /** Notes a file that is replaced. */
  addFile(path: string): void
  /** Notes a repository whose Git data is replaced. */
  addRepository(name: string): void
  /** The statements, in pieces that end with a line. */
  statements(): Generator<string>
}

/**
 * Collects the entries of replaced files, and those of their folders. After the statements, they have the headers that they
 * have in B, and each that only B has follows the one that it follows there. So a build of A writes the tar of B, as far as
 * the other entries are the same.
 */
export function createEntryPatch(pair: Database): EntryPatch {
  pair.exec(`
    DROP TABLE IF EXISTS temp.patched_entries;
    CREATE TEMP TABLE patched_entries (path TEXT PRIMARY KEY) WITHOUT ROWID`)
  const insert = pair.prepare<[string]>('INSERT OR IGNORE INTO temp.patched_entries VALUES (?)')
  const insertBelow = SIDES.map((side) =>
    pair.prepare<[string, string]>(`INSERT OR IGNORE INTO temp.patched_entries
      SELECT path FROM ${side}.entries WHERE path >= ? AND path < ?`),
  )
  const addFile = (path: string) => {
    for (const { index } of path.matchAll(/\//g)) insert.run(path.slice(0, index + 1))
    insert.run(path)
  }
  return {
    addFile,
    addRepository(name) {
      const folder = gitPath(name, '')
      addFile(folder)
      for (const statement of insertBelow) statement.run(folder, `${folder.slice(0, -1)}0`)
    },
    *statements() {
      pairEntries(pair)
      yield* removeEntries(pair)
      yield* changeEntries(pair)
      yield* makeRoom(pair)
      yield* insertEntries(pair)
      yield* changeEnd(pair)
    },
  }
}

const PAGE = 500

/**
 * Fills the temporary table `entry_pairs`, in the order of B: the ids of each entry in A and B, of several with one path the
 * last, and `place`, the id in A of the last one before it in B.
 */
function pairEntries(pair: Database): void {
  pair.exec(`
    DROP TABLE IF EXISTS temp.entry_pairs;
    CREATE TEMP TABLE entry_pairs AS
    SELECT path, a, b, coalesce(place, 0) AS place FROM (
      SELECT path, a, b, max(a) FILTER (WHERE b IS NOT NULL) OVER (ORDER BY b) AS place
      FROM (
        SELECT path, max(a) AS a, max(b) AS b
        FROM (SELECT path, id AS a, NULL AS b FROM main.entries UNION ALL SELECT path, NULL, id FROM b.entries)
        GROUP BY path))
    WHERE path IN (SELECT path FROM temp.patched_entries) ORDER BY b`)
}

interface EntryPair {
  path: string
  a: number
  b: number
  place: number
}

function* pairsWhere(pair: Database, where: string): Generator<EntryPair> {
  const pages = readPages<EntryPair>(pair, { from: 'temp.entry_pairs', where, size: PAGE })
  for (const rows of pages) yield* rows
}

function* removeEntries(pair: Database): Generator<string> {
  for (const { path } of pairsWhere(pair, 'b IS NULL')) {
    yield `DELETE FROM entries WHERE path = ${literal(path)};\n`
  }
}

const COLUMNS = ['path', 'role', 'size', 'sha256', 'mode', 'modified_at', 'whole_header'] as const

/** Reads the template of the header of an entry, and its columns, as literals. */
function entryReader(pair: Database, side: 0 | 1): (id: number) => string[] {
  const read = pair
    .prepare<[number], SqlValue[]>(
      `SELECT h.bytes, ${COLUMNS.map((name) => `e.${name}`).join(', ')} FROM ${SIDES[side]}.entries AS e
       LEFT JOIN ${SIDES[side]}.tar_headers AS h ON h.id = e.header WHERE e.id = ?`,
    )
    .raw()
  return (id) => (read.get(id) as SqlValue[]).map(literal)
}

/** A template of headers as a value of `entries.header`. */
const headerOf = (template: string) =>
  template === 'NULL' ? template : `(SELECT id FROM tar_headers WHERE bytes = ${template})`

/** The statements that make sure that templates are there, each once, unless there are more than a load stores. */
function templateAdder(): (template: string) => Generator<string> {
  const known = new Set(['NULL'])
  return function* (template) {
    if (known.has(template)) return
    if (known.size > 1000) known.clear()
    known.add(template)
    yield `INSERT OR IGNORE INTO tar_headers (bytes) VALUES (${template});\n`
  }
}

function* changeEntries(pair: Database): Generator<string> {
  const [readBefore, readAfter] = [entryReader(pair, 0), entryReader(pair, 1)]
  const addTemplate = templateAdder()
  for (const { a, b } of pairsWhere(pair, 'a IS NOT NULL AND b IS NOT NULL')) {
    const after = readAfter(b)
    if (String(after) === String(readBefore(a))) continue
    const [template = 'NULL', ...values] = after
    yield* addTemplate(template)
    const sets = COLUMNS.map((name, i) => `${name} = ${values[i]}`)
    yield `UPDATE entries SET ${sets.join(', ')}, header = ${headerOf(template)} WHERE id = ${a};\n`
  }
}

/** Moves the entries that follow new ones. */
function* makeRoom(pair: Database): Generator<string> {
  pair.exec(`
    DROP TABLE IF EXISTS temp.entry_room;
    CREATE TEMP TABLE entry_room AS
    SELECT place, sum(count(*)) OVER (ORDER BY place) AS shift, lead(place) OVER (ORDER BY place) AS "end"
    FROM temp.entry_pairs WHERE a IS NULL GROUP BY place ORDER BY place`)
  const hasMore = pair.prepare<[number]>('SELECT 1 FROM main.entries WHERE id > ? LIMIT 1')
  let isMoved = false
  interface Room {
    place: number
    shift: number
    end: number | null
  }
  for (const rows of readPages<Room>(pair, { from: 'temp.entry_room', size: PAGE })) {
    for (const { place, shift, end } of rows) {
      if (hasMore.get(place) === undefined) continue
      isMoved = true
      const before = end === null ? '' : ` AND id <= ${end}`
      // Negative until all are moved, so that no two ever have one id.
      yield `UPDATE entries SET id = -id - ${shift} WHERE id > ${place}${before};\n`
    }
  }
  if (isMoved) yield 'UPDATE entries SET id = -id WHERE id < 0;\n'
}

function* insertEntries(pair: Database): Generator<string> {
  const read = entryReader(pair, 1)
  const addTemplate = templateAdder()
  let count = 0
  for (const { b, place } of pairsWhere(pair, 'a IS NULL')) {
    const [template = 'NULL', ...values] = read(b)
    count++
    yield* addTemplate(template)
    yield `INSERT INTO entries (id, archive, ${COLUMNS.join(', ')}, header)
VALUES (${place + count}, ${LAST_ARCHIVE}, ${values.join(', ')}, ${headerOf(template)});\n`
  }
}

/** The zeros at the end of a tar, which depend on the program that wrote it. */
function* changeEnd(pair: Database): Generator<string> {
  const form = pair
    .prepare<[], string | null>(
      `SELECT CASE WHEN json_valid(a.form) AND json_valid(b.form) THEN
         json_set(a.form, '$.length', b.form ->> 'length', '$.end', b.form ->> 'end') END
       FROM main.archives AS a, b.archives AS b
       WHERE (SELECT count(*) FROM main.archives) = 1 AND (SELECT count(*) FROM b.archives) = 1`,
    )
    .pluck()
    .get()
  if (form != null) yield `UPDATE archives SET form = ${literal(form)};\n`
}
