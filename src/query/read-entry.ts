import type { Database } from '../database/open-database.ts'
import { quoteName, quoteText } from '../database/quote.ts'
import { readFile } from '../database/read-file.ts'
import { openRecordReader, recordTables } from '../database/read-record.ts'
import { ArchiveError } from '../errors.ts'
import type { JsonObject } from '../records/json.ts'
import { type JsonForm, writeRecords } from '../records/write-records.ts'

/**
 * The content of an entry of a loaded archive, the last one loaded that has it: a file as it was, a shard as
 * its records are now. Throws `entry-not-found`.
 */
export function readEntry(database: Database, path: string): Iterable<Uint8Array> {
  const document = readDocument(database, path)
  if (document) return document
  const file = database
    .prepare<[string], { id: number; stored: number }>(
      'SELECT id, stored FROM files WHERE path = ? ORDER BY id DESC',
    )
    .get(path)
  if (file?.stored) return readFile(database, file.id)
  if (file) throw notFound(path, 'the content of this file was not stored')
  return readShard(database, path)
}

/** A document that is none, because it is too large or not UTF-8, is a file. */
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

function readShard(database: Database, path: string): Iterable<Uint8Array> {
  const shard = database
    .prepare<[string], { archive: number; form: string }>(
      `SELECT archive, form FROM shards JOIN archives ON archives.id = shards.archive
       WHERE path = ? ORDER BY archive DESC`,
    )
    .get(path)
  if (!shard) throw notFound(path, 'no archive has this entry')
  const { emptyArray = 'new' } = JSON.parse(shard.form) as Partial<JsonForm>
  return writeRecords(recordsOf(database, shard.archive, path), { emptyArray })
}

/** The records that came from a shard, in their order, whatever their tables. */
function* recordsOf(database: Database, archive: number, path: string): Generator<JsonObject> {
  const tables = recordTables(database)
  const parts = tables.map(
    (table, i) =>
      `SELECT ${i} AS i, rowid AS id, _record AS place FROM ${quoteName(table)}
       WHERE _archive = ${archive} AND _entry = ${quoteText(path)}`,
  )
  const places = database.prepare<[], { i: number; id: number }>(
    `${parts.join(' UNION ALL ')} ORDER BY place`,
  )
  const readers = tables.map((table) => openRecordReader(database, table))
  for (const { i, id } of places.iterate()) {
    const record = readers[i]?.(id)
    if (record) yield record
  }
}

const notFound = (path: string, message: string) =>
  new ArchiveError('entry-not-found', message, { entry: path })
