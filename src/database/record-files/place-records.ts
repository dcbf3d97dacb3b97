import { compareTexts } from '../../base/text.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import { filledTables, recordTables } from '../rows/read-record.ts'
import { hasTemporary } from '../rows/resolve-names.ts'
import { findRowRanges, type RowRange } from './find-row-ranges.ts'

/** A record file of one of the archives. */
export interface RecordFile {
  /** Its row in `record_files`. */
  id: number
  /** Its position among all record files, ordered by archive, kind and number. */
  position: number
  archive: number
  path: string
  stem: string
  /** The number in its name, such as 12 in issues_000012.json. */
  number: number
  records: number
  /** Bytes of the file as loaded. */
  size: number
  modifiedAt: string
  /** CRC-32 of the bytes as loaded. */
  crc32: number
  layout: string
}

/** The position of rows without a file, which were added with SQL. */
export const LOOSE = 2 ** 31

// Paging uses the record number, so it must be a safe integer in JavaScript.
const RECORD = `CASE WHEN o._record_number BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN o._record_number ELSE 0 END`

/** All kinds, known ones in import order, and the tables of records. */
export interface Order {
  stems: readonly string[]
  tables: readonly string[]
}

/** The kinds and record tables of a database, in the order of an archive. */
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

/** Where the records to write are. */
export interface Places {
  recordFiles: readonly RecordFile[]
  /** By kind and file position: records in their original rows, which are not in the table `places`. */
  ranges: ReadonlyMap<string, ReadonlyMap<number, RowRange>>
}

/**
 * Fills the temporary table `places`: for every record (or every chosen one), the kind of the file it goes to (index in
 * `stems`), its original file and its number there. With `byKind` the record determines the kind, else the file name;
 * without it, row ranges replace places where possible. `fileKinds` gives records of some kinds to the files of another.
 */
export function placeRecords(
  database: Database,
  { stems, tables }: Order,
  {
    byKind,
    chosen,
    fileKinds = {},
  }: { byKind: boolean; chosen: boolean; fileKinds?: Readonly<Record<string, string>> },
): Places {
  const isFilled = hasTemporary(database, 'known_files')
  const recordFiles = (isFilled && listed.get(database)) || listRecordFiles(database, stems)
  listed.set(database, recordFiles)
  const ranges = new Map<string, ReadonlyMap<number, RowRange>>()
  const filled = filledTables(database, tables)
  const inRanges = (table: string): boolean => {
    if (byKind || chosen) return false
    const own = recordFiles.filter(({ stem }) => stem === table)
    const found = findRowRanges(database, table, own, { isFilled: filled.has(table) })
    if (found) ranges.set(table, found)
    return found !== undefined
  }
  if (!isFilled) fillKnownFiles(database, stems, recordFiles)
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS places (
      stem INTEGER, "table" INTEGER, position INTEGER, record INTEGER, id INTEGER,
      PRIMARY KEY (stem, "table", position, record, id)
    ) WITHOUT ROWID`)
  tables.forEach((table, i) => {
    if (inRanges(table) || !filled.has(table)) return
    const own = stems.indexOf(fileKinds[table] ?? table)
    const stem = byKind && kindNamed(table) ? own : `coalesce(s.stem, ${own})`
    const rows = chosen
      ? `temp.chosen AS c CROSS JOIN ${quoteName(table)} AS o ON c."table" = ${i} AND o.rowid = c.id`
      : `${quoteName(table)} AS o`
    prepareOnce(
      database,
      `INSERT INTO temp.places
       SELECT ${stem}, ${i}, coalesce(s.position, ${LOOSE}), ${RECORD}, o.rowid
       FROM ${rows}
       LEFT JOIN temp.known_files AS s ON s.archive = o._archive AND s.path = o._entry`,
    ).run()
  })
  return { recordFiles, ranges }
}

function fillKnownFiles(
  database: Database,
  stems: readonly string[],
  recordFiles: readonly RecordFile[],
): void {
  database.exec(`CREATE TEMP TABLE known_files (
    archive INTEGER, path TEXT, position INTEGER, stem INTEGER, PRIMARY KEY (archive, path)
  ) WITHOUT ROWID`)
  const insert = database.prepare('INSERT OR IGNORE INTO temp.known_files VALUES (?, ?, ?, ?)')
  for (const { archive, path, position, stem } of recordFiles) {
    insert.run(archive, path, position, stems.indexOf(stem))
  }
}

/** The kinds of the placed records. */
export function placedKinds(database: Database, { stems }: Order, { ranges }: Places): string[] {
  const placed = database.prepare<[], number>('SELECT DISTINCT stem FROM temp.places').pluck().all()
  return stems.filter((stem, i) => placed.includes(i) || (ranges.get(stem)?.size ?? 0) > 0)
}

/** The record files of snapshots, as in the temporary table `known_files`. */
const listed = new WeakMap<Database, readonly RecordFile[]>()

function listRecordFiles(database: Database, stems: readonly string[]): RecordFile[] {
  const rank = new Map(stems.map((stem, i) => [stem, i]))
  return database
    .prepare<[], Omit<RecordFile, 'position' | 'number'>>(
      `SELECT rowid AS id, archive, path, kind AS stem, records, size, modified_at AS modifiedAt, crc32, layout
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

/** Compares two files of one kind. */
export const byNumber = (
  a: Pick<RecordFile, 'number' | 'path'>,
  b: Pick<RecordFile, 'number' | 'path'>,
): number => a.number - b.number || compareTexts(a.path, b.path)

/** The kinds with a file that has fewer placed records than were loaded. */
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
