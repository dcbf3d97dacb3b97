import type { Report } from '../../base/errors.ts'
import type { ScannedRecords } from '../../records/canonical/read-canonical.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { parseLossless } from '../../records/json/parse-lossless.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import type { PlacedRecord } from '../../records/read-records.ts'
import type { BulkLoad, BulkTable } from '../bulk/bulk-load.ts'
import { sqliteError } from '../connection.ts'
import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import {
  BOOKKEEPING,
  KIND_OF_ENTRY,
  kindOfEntry,
  kindTable,
  SHARED,
  withIdentity,
} from '../schema/kind-table.ts'
import { createStatement, type Relation } from '../schema/relation.ts'
import type { Row } from '../schema/row-layout.ts'
import { addIndexes } from '../schema/schema.ts'
import { createRowInserter } from './insert-row.ts'
import { keepLastDuplicate } from './keep-last-duplicate.ts'
import { removeIdentical } from './remove-identical.ts'
import { createReplacedRows } from './replaced-rows.ts'
import type { ReplacementCounter } from './replacement-counter.ts'
import { toRecord } from './to-record.ts'
import { toRow } from './to-row.ts'

/** Whether a record was new, replaced one with the same URL, or was already there. */
export type Outcome = 'added' | 'replaced' | 'unchanged'

export type Counts = { [outcome in Outcome]: number } & {
  /** Records that were dropped because stored ones are newer, if the newest archive wins. */
  outdated?: number
}

/** Stores the records of one kind in its table. The last of several with the same URL is kept. */
export interface RecordStore {
  /** `row` is the result of `toRow`. */
  add(placed: PlacedRecord, row: Row): Outcome
  /** Adds the canonical records of a file, in a bulk load. */
  addCanonical?(entry: string, records: ScannedRecords): void
  /**
   * Creates the index that finds records of a new table again, and restores records of `newer` archives. Returns corrections
   * to the outcomes that `add` returned.
   */
  finish(newer: ReadonlySet<number>): Partial<Counts>
}

interface StoreOptions {
  /** The archive being loaded. */
  archive: number
  report: Report
  replaced: ReplacementCounter
  /** Whether the newest archive wins, instead of the last one loaded. */
  newestWins: boolean
  bulk?: BulkLoad | undefined
  /** The names of all tables, views and indexes. */
  there: ReadonlySet<string>
}

interface TableContext extends Omit<StoreOptions, 'there' | 'bulk'> {
  database: Database
  name: string
  kind: Kind
  table: Relation
  /** The stored columns, as SQL. */
  columns: string
}

/** Opens the table of a kind. Creates it for an unknown kind. */
export function openRecordStore(
  database: Database,
  name: string,
  kind: Kind,
  { there, bulk, ...options }: StoreOptions,
): RecordStore {
  const table = kindTable(name, kind)
  if (!there.has(name)) database.exec(createStatement(table))
  const stored = [...Object.keys(kind.columns), ...BOOKKEEPING.map((column) => column.name)]
  const columns = stored.map(quoteName).join(', ')
  const context = { ...options, database, name, kind, table, columns }
  if (bulk) return bulkStore(context, bulk.openTable(name, stored.length - PLACE))
  const insert = createRowInserter(database, name, stored)
  const add: Add = ({ entry, index }, row) => {
    row.push(options.archive, entry, index)
    insert(row)
  }
  if (hasIdentity(table, there)) return mergingStore(context, add)
  return appendingStore(context, add)
}

/** The columns for the archive, the entry and the number of the record, which come last. */
const PLACE = 3

/** For a table of a new database. */
function bulkStore(context: TableContext, table: BulkTable): RecordStore {
  const { kind, archive } = context
  const placeOf = (entry: string, record: number) => ({
    archive,
    entry: Buffer.from(entry),
    record,
  })
  const store = appendingStore(context, ({ entry, index }, row) =>
    table.addRow(row, placeOf(entry, index)),
  )
  return {
    ...store,
    addCanonical(entry, records) {
      const place = placeOf(entry, 0)
      const { from, to, memory } = records
      for (let i = 0; i < records.records; i++) {
        place.record++
        if (records.hasNull[i] === 0) table.addScanned(records, i, place)
        else {
          // The order of its members is to be stored.
          const record = parseLossless(memory.toString('utf8', from[i], to[i])) as JsonObject
          table.addRow(toRow(kind, record), place)
        }
      }
    },
  }
}

/** Whether records can be looked up in a table, which therefore has those of an earlier load. */
const hasIdentity = (table: Relation, there: ReadonlySet<string>): boolean =>
  withIdentity(table).indexes?.every(({ name }) => there.has(name)) === true

type Add = (placed: PlacedRecord, row: Row) => void

/** For a table without indexes: handles records with the same URL after the last one. */
function appendingStore(context: TableContext, add: Add): RecordStore {
  return {
    add(placed, row) {
      add(placed, row)
      return 'added'
    },
    finish() {
      try {
        addIndexes(context.database, withIdentity(context.table))
        return {}
      } catch (error) {
        // Creating the unique index shows for free that no URL is repeated, as in almost every archive.
        if (sqliteError(error)?.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
        const dropped = keepLastDuplicate(context, (earlier, same) => {
          context.replaced.note(earlier.at(-4), earlier.at(-3))
          reportDuplicate(context, earlier, same)
        })
        addIndexes(context.database, withIdentity(context.table))
        return { added: -dropped }
      }
    },
  }
}

/** For a table with indexes: looks up each URL before the insert. */
function mergingStore(context: TableContext, add: Add): RecordStore {
  const { database, name, kind, columns, archive, replaced, newestWins } = context
  const table = quoteName(name)
  const shared = name === SHARED
  const isSame = shared ? `"url" = ? AND ${KIND_OF_ENTRY} = ?` : '"url" = ?'
  const find = prepareOnce(database, `SELECT ${columns}, rowid FROM ${table} WHERE ${isSame}`).raw()
  const remove = prepareOnce(database, `DELETE FROM ${table} WHERE rowid = ?`)
  const move = prepareOnce(
    database,
    `UPDATE ${table} SET _archive = ?, _entry = ?, _record_number = ? WHERE rowid = ?`,
  )
  const rows = newestWins ? createReplacedRows(database, context) : undefined
  return {
    add(placed: PlacedRecord, row: Row): Outcome {
      const { url } = placed.record
      // SQLite stores a lone surrogate as U+FFFD, which would match another record.
      const isIdentity = typeof url === 'string' && url.isWellFormed()
      const identity = shared ? [url, kindOfEntry(placed.entry)] : [url]
      const old = isIdentity ? (find.get(...identity) as Row | undefined) : undefined
      if (old === undefined) {
        add(placed, row)
        return 'added'
      }
      const same = row.every((value, i) => value === old[i])
      if (old.at(-4) === archive) reportDuplicate(context, old, same)
      else rows?.keep(old.at(-1), same)
      replaced.note(old.at(-4), old.at(-3), same)
      if (same) {
        // It now belongs to the later archive, which can then be built completely.
        move.run(archive, placed.entry, placed.index, old.at(-1))
        return 'unchanged'
      }
      remove.run(old.at(-1))
      add(placed, row)
      return 'replaced'
    },
    finish(newer) {
      const contents = [...Object.keys(kind.columns), '_extra', '_member_order']
      const outdated = rows?.restore(newer) ?? 0
      const dropped = removeIdentical(database, { name, contents, archive, newer, replaced })
      return { added: -dropped, unchanged: dropped, replaced: -outdated, outdated }
    },
  }
}

/** Reports that the earlier of two records with the same URL in an archive was replaced, with its content. */
function reportDuplicate(
  { kind, report }: Pick<TableContext, 'kind' | 'report'>,
  earlier: Row,
  same: boolean,
): void {
  const record = toRecord(kind, earlier)
  report({
    code: 'record-duplicate',
    place: { entry: String(earlier.at(-3)), record: Number(earlier.at(-2)) },
    message: `${JSON.stringify(record.url)} is repeated later${same ? '' : ' with different content'}`,
    ...(!same && { content: JSON.stringify(record) }),
  })
}
