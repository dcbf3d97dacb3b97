import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { GrowingText } from '../../base/growing-text.ts'
import { refuseLargeCells } from '../../database/large-cells.ts'
import type { Database } from '../../database/open-database.ts'
import { openSnapshot } from '../../database/open-snapshot.ts'
import { quoteName } from '../../database/quote.ts'
import { readPages } from '../../database/read-pages.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { recordColumns } from '../../database/rows/read-record.ts'
import { selectRecords } from '../../database/rows/select-records.ts'
import type { Selection } from '../../database/rows/selection.ts'
import { toRecord } from '../../database/rows/to-record.ts'
import type { SqlValue } from '../../database/schema/row-layout.ts'
import { LISTINGS, listingRows } from '../listings.ts'
import type { RecordSource, Sink, SourceFacts } from './record-source.ts'

/** Records at a time. */
const BATCH = 500

export interface DatabaseSourceOptions {
  /** Only these records and those that they refer to. Default: everything, with files, refs and commits. */
  selection?: Selection | undefined
}

/** Reads one state of a database, whatever others write meanwhile. */
export function openDatabaseSource(
  database: Database,
  partition: string,
  { selection }: DatabaseSourceOptions = {},
): RecordSource {
  refuseLargeCells(database)
  const snapshot = openSnapshot(database)
  const { tables } = orderOf(snapshot)
  if (selection) {
    selectRecords(snapshot, tables, selection)
    const found = snapshot.prepare('SELECT 1 FROM temp.chosen LIMIT 1').get()
    if (!found) {
      const place = { archive: database.name }
      throw new ArchiveError('records-not-found', 'there are no records to export', place)
    }
  }
  const archives = snapshot
    .prepare<[], ArchiveRow>(
      'SELECT name, size, sha256, schema_version, state FROM archives ORDER BY id',
    )
    .all()
  let hash: string | undefined
  const identity = () => {
    hash ??= hashContent(snapshot, tables)
    return hash
  }
  return {
    name: basename(database.name),
    identify: async () => identity(),
    async read(sink) {
      for (const [i, table] of tables.entries()) {
        await pushTable(snapshot, table, selection ? i : undefined, sink)
      }
      for (const listing of selection ? [] : LISTINGS) {
        for (const rows of listingRows(snapshot, listing, partition)) await sink.rows(listing, rows)
      }
      return factsOf(basename(database.name), identity(), archives)
    },
    close: () => snapshot.close(),
  }
}

interface ArchiveRow {
  name: string
  size: number | null
  sha256: string
  schema_version: string | null
  state: string
}

function factsOf(name: string, sha256: string, archives: readonly ArchiveRow[]): SourceFacts {
  return {
    name,
    sha256,
    size: null,
    schemaVersion: archives.at(-1)?.schema_version ?? null,
    state: archives.some(({ state }) => state === 'salvaged') ? 'salvaged' : 'complete',
    archives: archives.map((archive) => ({ name: archive.name, sha256: archive.sha256 })),
  }
}

async function pushTable(
  database: Database,
  table: string,
  chosen: number | undefined,
  sink: Sink,
): Promise<void> {
  const { kind } = recordColumns(table)
  // A member may have the name of the key.
  const stored = [...Object.keys(kind.columns), '_extra', '_member_order']
  const columns = stored.map((name, i) => `o.${quoteName(name)} AS c${i}`)
  const names = stored.map((_, i) => `c${i}`)
  const pages = readPages<Record<string, SqlValue>>(database, {
    columns: `${columns}, o."_entry", o."_record_number"`,
    from: `${quoteName(table)} AS o`,
    key: 'o.rowid',
    bigints: names,
    ...(chosen !== undefined && {
      where: `EXISTS (SELECT 1 FROM temp.chosen WHERE "table" = ${chosen} AND id = o.rowid)`,
    }),
    size: BATCH,
  })
  for (const rows of pages) {
    if (rows.length === 0) continue
    const records = rows.map((row) => ({
      record: toRecord(
        kind,
        names.map((name) => row[name] ?? null),
      ),
      // Rows that people add with SQL have no position.
      entry: row._entry === null ? '' : String(row._entry),
      index: Number(row._record_number ?? 0),
    }))
    await sink.records(table, kind, records)
  }
}

/** Bytes of values that are hashed together. */
const HASHED_AT_ONCE = 2 ** 16

/** Adds a value with its type and length, so that no two rows of values have the same text. */
function addValue(text: GrowingText, value: SqlValue): void {
  if (value === null) text.add('n')
  else if (typeof value === 'string') {
    text.add(`s${value.length}:`)
    text.add(value)
  } else if (typeof value === 'bigint') text.add(`i${value};`)
  else if (typeof value === 'number') text.add(`f${value};`)
  else text.add(`b${value.length}:${Buffer.from(value).toString('hex')}`)
}

/** A hash over the records, files, refs and commits, which VACUUM does not change. */
function hashContent(database: Database, tables: readonly string[]): string {
  const hash = createHash('sha256')
  const text = new GrowingText()
  const add = (name: string, columns: string, from: string, order: string) => {
    const rows = database.prepare(`SELECT ${columns} FROM ${from} ORDER BY ${order}`).raw()
    text.add(`\0${name}\0`)
    for (const row of rows.safeIntegers().iterate() as Iterable<SqlValue[]>) {
      for (const value of row) addValue(text, value)
      if (text.length >= HASHED_AT_ONCE) hash.update(text.borrow())
    }
  }
  for (const table of tables) {
    const { columns } = recordColumns(table)
    add(table, `${columns}, "_entry", "_record_number"`, quoteName(table), 'rowid')
  }
  for (const { name, sql } of LISTINGS) add(name, '*', `(${sql})`, 'true')
  return hash.update(text.borrow()).digest('hex')
}
