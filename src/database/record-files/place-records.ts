import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { recordTables } from '../rows/read-record.ts'
import { findRowRanges, type RowRange } from './find-row-ranges.ts'

/** A file of records in one of the archives. */
export interface RecordFile {
  /** Its place among all of them: by archive, kind, number. Rows without a file have a later one. */
  position: number
  archive: number
  path: string
  stem: string
  /** In its name, such as 12 of issues_000012.json. */
  number: number
  records: number
  /** Bytes of the file as it was. */
  size: number
  modifiedAt: string
  /** Of the bytes as they were. */
  crc32: number
  layout: string
}

/** The place of rows that stand in no file: those that were added with SQL. */
export const LOOSE = 2 ** 31

// Pages are read from one place to the next, which must be a number that JavaScript has as well.
const RECORD = `CASE WHEN o._record_number BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN o._record_number ELSE 0 END`

/** Every kind that there is, known ones in the order of an import, and the tables that hold its records. */
export interface Order {
  stems: readonly string[]
  tables: readonly string[]
}

/** The tables of a database and all kinds that have a table or a file in it, in the order of an archive. */
export function orderOf(database: Database): Order {
  const known = Object.keys(KINDS)
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  const sort = (names: Iterable<string>) =>
    [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const tables = recordTables(database)
  const inFiles = database
    .prepare<[], string>('SELECT DISTINCT kind FROM record_files')
    .pluck()
    .all()
  return { tables: sort(tables), stems: sort([...tables, ...inFiles]) }
}

/** Where the records are that are to be written. */
export interface Places {
  recordFiles: readonly RecordFile[]
  /** By kind and position of the file: records that stand as they were loaded, and so are in no table of places. */
  ranges: ReadonlyMap<string, ReadonlyMap<number, RowRange>>
}

/**
 * Notes in the temporary table `places`, for every record (or every chosen one), the kind whose file it goes
 * to (its place in `stems`), the file it stood in and its place there. With `byKind` the kind is told by the
 * record, else by the file's name; without, ranges are told instead of places where that is possible.
 */
export function placeRecords(
  database: Database,
  { stems, tables }: Order,
  { byKind, chosen }: { byKind: boolean; chosen: boolean },
): Places {
  const recordFiles = listRecordFiles(database, stems)
  const ranges = new Map<string, ReadonlyMap<number, RowRange>>()
  const inRanges = (table: string): boolean => {
    if (byKind || chosen) return false
    const own = recordFiles.filter(({ stem }) => stem === table)
    const found = findRowRanges(database, table, own)
    if (found) ranges.set(table, found)
    return found !== undefined
  }
  database.exec(`
    CREATE TEMP TABLE known_files (
      archive INTEGER, path TEXT, position INTEGER, stem INTEGER, PRIMARY KEY (archive, path)
    ) WITHOUT ROWID;
    CREATE TEMP TABLE places (
      stem INTEGER, "table" INTEGER, position INTEGER, record INTEGER, id INTEGER,
      PRIMARY KEY (stem, "table", position, record, id)
    ) WITHOUT ROWID`)
  const insert = database.prepare('INSERT OR IGNORE INTO temp.known_files VALUES (?, ?, ?, ?)')
  for (const { archive, path, position, stem } of recordFiles) {
    insert.run(archive, path, position, stems.indexOf(stem))
  }
  tables.forEach((table, i) => {
    if (inRanges(table)) return
    const own = stems.indexOf(table)
    const stem = byKind && kindNamed(table) ? own : `coalesce(s.stem, ${own})`
    const rows = chosen
      ? `temp.chosen AS c CROSS JOIN ${quoteName(table)} AS o ON c."table" = ${i} AND o.rowid = c.id`
      : `${quoteName(table)} AS o`
    database.exec(`
      INSERT INTO temp.places
      SELECT ${stem}, ${i}, coalesce(s.position, ${LOOSE}), ${RECORD}, o.rowid
      FROM ${rows}
      LEFT JOIN temp.known_files AS s ON s.archive = o._archive AND s.path = o._entry`)
  })
  return { recordFiles, ranges }
}

/** The kinds of the placed records. */
export function placedKinds(database: Database, { stems }: Order, { ranges }: Places): string[] {
  const placed = database.prepare<[], number>('SELECT DISTINCT stem FROM temp.places').pluck().all()
  return stems.filter((stem, i) => placed.includes(i) || (ranges.get(stem)?.size ?? 0) > 0)
}

function listRecordFiles(database: Database, stems: readonly string[]): RecordFile[] {
  const rank = new Map(stems.map((stem, i) => [stem, i]))
  return database
    .prepare<[], Omit<RecordFile, 'position' | 'number'>>(
      `SELECT archive, path, kind AS stem, records, size, modified_at AS modifiedAt, crc32, layout
       FROM record_files`,
    )
    .all()
    .map((file) => ({ ...file, number: Number(/_(\d+)[^_]*$/.exec(file.path)?.[1] ?? 0) }))
    .sort(
      (a, b) =>
        a.archive - b.archive ||
        (rank.get(a.stem) ?? 0) - (rank.get(b.stem) ?? 0) ||
        byNumber(a, b),
    )
    .map((file, position) => ({ ...file, position }))
}

/** The order of files of one kind. */
export const byNumber = (
  a: Pick<RecordFile, 'number' | 'path'>,
  b: Pick<RecordFile, 'number' | 'path'>,
): number => a.number - b.number || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

/** The kinds of which some file has fewer placed records than it was loaded with. */
export function kindsWithDeleted(database: Database, { recordFiles, ranges }: Places): Set<string> {
  const placed = new Map<number, number>()
  const counts = database
    .prepare<[], [position: number, count: number]>(
      'SELECT position, count(*) FROM temp.places GROUP BY stem, "table", position',
    )
    .raw()
    .all()
  for (const [position, count] of counts) {
    placed.set(position, (placed.get(position) ?? 0) + count)
  }
  const fewer = recordFiles.filter(
    ({ stem, position, records }) => !ranges.has(stem) && records > (placed.get(position) ?? 0),
  )
  return new Set(fewer.map(({ stem }) => stem))
}
