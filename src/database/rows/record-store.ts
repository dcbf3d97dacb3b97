import type { Report } from '../../errors.ts'
import type { CanonicalBatch } from '../../records/canonical/read-canonical.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import type { PlacedRecord } from '../../records/read-records.ts'
import { sqliteError } from '../connection.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { BOOKKEEPING, KIND_OF_ENTRY, kindOfEntry, kindTable, SHARED } from '../schema/kind-table.ts'
import { createStatement, type Relation } from '../schema/relation.ts'
import { addIndexes } from '../schema/schema.ts'
import { openCanonicalInserter } from './insert-canonical.ts'
import { openRowInserter } from './insert-row.ts'
import { keepLastDuplicate } from './keep-last-duplicate.ts'
import { removeIdentical } from './remove-identical.ts'
import { openReplacedRows } from './replaced-rows.ts'
import type { ReplacementCounter } from './replacement-counter.ts'
import type { Row } from './row-layout.ts'
import { toRecord } from './to-record.ts'

/** What became of a record: it was new, took the place of another one with its url, or was there already. */
export type Outcome = 'added' | 'replaced' | 'unchanged'

export type Counts = { [outcome in Outcome]: number } & {
  /** Records that were older than the ones there, which stayed, if age decides. */
  outdated?: number
}

/** Stores the records of one kind in its table. Of several with one url, the last is kept. */
export interface RecordStore {
  /** `row` is what `toRow` makes of the record. */
  add(placed: PlacedRecord, row: Row): Outcome
  /** Adds all records of a run, where nobody looks for their urls yet. */
  addCanonical?(entry: string, run: CanonicalBatch): void
  /**
   * Adds the indexes where the table is new, and lets records of `newer` archives stay. Returns what became of records
   * otherwise than was said when they came.
   */
  finish(newer: ReadonlySet<number>): Partial<Counts>
}

interface StoreOptions {
  /** The archive being loaded. */
  archive: number
  report: Report
  replaced: ReplacementCounter
  /** Whether age decides which record stays, and not the order of loading. */
  newestWins: boolean
  /** The names of all tables, views and indexes. */
  there: ReadonlySet<string>
}

interface TableContext extends Omit<StoreOptions, 'there'> {
  database: Database
  name: string
  kind: Kind
  table: Relation
  /** The columns that are stored rather than derived, as SQL. */
  columns: string
}

/** Opens the table of a kind, and makes it first for a kind that is not known. */
export function openRecordStore(
  database: Database,
  name: string,
  kind: Kind,
  { there, ...options }: StoreOptions,
): RecordStore {
  const table = kindTable(name, kind)
  if (!there.has(name)) database.exec(createStatement(table))
  const stored = [...Object.keys(kind.columns), ...BOOKKEEPING.map((column) => column.name)]
  const columns = stored.map(quoteName).join(', ')
  const context = { ...options, database, name, kind, table, columns }
  const same = { _archive: options.archive }
  const varying = stored.filter((column) => !Object.hasOwn(same, column))
  const insert = openRowInserter(database, name, varying, same)
  const add: Add = ({ entry, index }, row) => {
    row.push(entry, index)
    insert(row)
  }
  if (hasIndexes(table, there)) return mergingStore(context, add)
  const addCanonical = openCanonicalInserter(database, name, kind, options.archive)
  return { ...appendingStore(context, add), addCanonical }
}

/** Whether a table has its indexes, and so records of an earlier load. */
export const hasIndexes = ({ indexes }: Relation, there: ReadonlySet<string>): boolean =>
  indexes?.every(({ name }) => there.has(name)) === true

type Add = (placed: PlacedRecord, row: Row) => void

/** For a table without indexes: looks for records with the same url once all of them are there. */
function appendingStore(context: TableContext, add: Add): RecordStore {
  return {
    add(placed, row) {
      add(placed, row)
      return 'added'
    },
    finish() {
      try {
        addIndexes(context.database, context.table)
        return {}
      } catch (error) {
        // Building the index tells for free that no url stands twice, as in almost every archive.
        if (sqliteError(error)?.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
        const dropped = keepLastDuplicate(context, (earlier, same) => {
          context.replaced.note(earlier.at(-4), earlier.at(-3))
          reportDuplicate(context, earlier, same)
        })
        addIndexes(context.database, context.table)
        return { added: -dropped }
      }
    },
  }
}

/** For a table with indexes: looks for a record with the same url before each. */
function mergingStore(context: TableContext, add: Add): RecordStore {
  const { database, name, kind, columns, archive, replaced, newestWins } = context
  const table = quoteName(name)
  const shared = name === SHARED
  const isSame = shared ? `"url" = ? AND ${KIND_OF_ENTRY} = ?` : '"url" = ?'
  const find = database.prepare(`SELECT ${columns}, rowid FROM ${table} WHERE ${isSame}`).raw()
  const remove = database.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
  const move = database.prepare(
    `UPDATE ${table} SET _archive = ?, _entry = ?, _record_number = ? WHERE rowid = ?`,
  )
  const rows = newestWins ? openReplacedRows(database, context) : undefined
  return {
    add(placed: PlacedRecord, row: Row): Outcome {
      const { url } = placed.record
      // SQLite would take a lone surrogate for U+FFFD, and its record for another one.
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
        // It is part of the later archive too, which can then be had back whole.
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

/** Reports that of two records with one url in an archive the earlier gave way, with what it said. */
function reportDuplicate(
  { kind, report }: Pick<TableContext, 'kind' | 'report'>,
  earlier: Row,
  same: boolean,
): void {
  const record = toRecord(kind, earlier)
  report({
    code: 'record-duplicate',
    place: { entry: String(earlier.at(-3)), record: Number(earlier.at(-2)) },
    message: `${JSON.stringify(record.url)} stands again later${same ? '' : ', with other content'}`,
    ...(!same && { content: JSON.stringify(record) }),
  })
}
