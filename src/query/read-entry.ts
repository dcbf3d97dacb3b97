import { ArchiveError } from '../base/errors.ts'
import { readFile } from '../database/contents/read-file.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName, quoteText } from '../database/quote.ts'
import type { RecordFile } from '../database/record-files/place-records.ts'
import { formsOf } from '../database/record-files/plan-record-files.ts'
import { printRecordFile } from '../database/record-files/record-entry.ts'
import { createRecordReader, recordTables } from '../database/rows/read-record.ts'
import type { JsonObject } from '../records/json/json.ts'

/**
 * Reads an entry of the archive that was loaded last and has it. `onChanged` is called if a record file differs from
 * the loaded one: its records were changed or replaced, or its layout was not GitHub's. Throws `entry-not-found`.
 */
export function readEntry(
  database: Database,
  path: string,
  onChanged: () => void = () => {},
): Iterable<Uint8Array> {
  const document = readDocument(database, path)
  if (document) return document
  const file = database
    .prepare<[string], { id: number; stored: number }>(
      'SELECT id, stored FROM files WHERE path = ? ORDER BY id DESC',
    )
    .get(path)
  if (file?.stored) return readFile(database, file.id)
  if (file) throw notFound(path, 'the content of this file was not stored')
  return readRecordFile(database, path, onChanged)
}

/** Reads `schema.json` or `urls.json`. One that is too large or not UTF-8 was stored as a file. */
function readDocument(database: Database, path: string): Uint8Array[] | undefined {
  if (path !== 'schema.json' && path !== 'urls.json') return undefined
  const column = path.replace('.json', '')
  const text = database
    .prepare<[], string>(
      `SELECT ${column} FROM archives WHERE ${column} IS NOT NULL ORDER BY id DESC`,
    )
    .pluck()
    .get()
  return text === undefined ? undefined : [Buffer.from(text)]
}

function readRecordFile(
  database: Database,
  path: string,
  onChanged: () => void,
): Iterable<Uint8Array> {
  const found = database
    .prepare<[string], Omit<RecordFile, 'position' | 'number'>>(
      `SELECT archive, path, kind AS stem, records, size, modified_at AS modifiedAt, crc32
       FROM record_files WHERE path = ? ORDER BY archive DESC`,
    )
    .get(path)
  if (!found) throw notFound(path, 'no archive has this entry')
  const before = { ...found, position: 0, number: 0 }
  const { pieces, unchanged } = printRecordFile({
    path,
    before,
    form: formsOf(database)(before),
    records: () => recordsOf(database, found.archive, path),
  })
  if (!unchanged) onChanged()
  return pieces
}

/** The records of a record file in their original order, from all tables. */
function* recordsOf(database: Database, archive: number, path: string): Generator<JsonObject> {
  const tables = recordTables(database)
  const parts = tables.map(
    (table, i) =>
      `SELECT ${i} AS i, rowid AS id, _record_number AS place FROM ${quoteName(table)}
       WHERE _archive = ${archive} AND _entry = ${quoteText(path)}`,
  )
  const places = database
    .prepare<[], { i: bigint; id: bigint }>(`${parts.join(' UNION ALL ')} ORDER BY place`)
    .safeIntegers()
  const readers = tables.map((table) => createRecordReader(database, table))
  for (const { i, id } of places.iterate()) {
    const record = readers[Number(i)]?.(id)
    if (record) yield record
  }
}

const notFound = (path: string, message: string) =>
  new ArchiveError('entry-not-found', message, { entry: path })

/** Whether the last archive that has an entry has several with this path. */
export const isEntryRepeated = (database: Database, path: string): boolean =>
  isReported(database, "code = 'entry-repeated' AND entry = ?", path)

/** Whether records with this URL were replaced by a later one of the same archive. */
export const isRecordRepeated = (database: Database, url: string): boolean =>
  isReported(database, "code = 'record-duplicate' AND instr(message, ?) = 1", JSON.stringify(url))

const isReported = (database: Database, where: string, value: string): boolean =>
  database.prepare(`SELECT 1 FROM problems WHERE ${where} LIMIT 1`).get(value) !== undefined
