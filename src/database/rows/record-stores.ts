import type { Report } from '../../base/errors.ts'
import type { ScannedRecords } from '../../records/canonical/read-canonical.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import { kindNamed, kindOfRecord } from '../../records/kinds/kind-of-record.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import {
  createProblemAggregator,
  type ProblemAggregator,
} from '../../records/problem-aggregator.ts'
import type { PlacedRecord } from '../../records/read-records.ts'
import type { BulkLoad } from '../bulk/bulk-load.ts'
import type { Database } from '../open-database.ts'
import { kindTable } from '../schema/kind-table.ts'
import { completeTables, relationNames } from '../schema/schema.ts'
import { tableForUnknown, unknownKind } from '../schema/unknown-kind.ts'
import { mergePeople } from './merge-people.ts'
import { recordTables } from './read-record.ts'
import { type Counts, openRecordStore, type RecordStore } from './record-store.ts'
import type { ReplacementCounter } from './replacement-counter.ts'
import { toRow } from './to-row.ts'

/** Stores records of all kinds in the tables of their kinds. */
export interface RecordStores {
  /** `stem` is the kind in the name of the record file. */
  add(stem: string, batch: readonly PlacedRecord[]): void | Promise<void>
  /** Whether canonical records of a kind can be added unparsed: in the first load of a new database, or if they are diverted. */
  takesCanonical(stem: string): boolean
  /** Adds all records of a file. */
  addCanonical(stem: string, entry: string, records: ScannedRecords): void | Promise<void>
  /**
   * Completes the tables, except the indexes of empty ones and those for readers, and reports problems. Records of `newer`
   * archives stay. Returns the outcomes by table.
   */
  finish(newer: ReadonlySet<number>): Record<string, Counts>
}

/** Takes records in place of their tables. The load waits for a promise before it reads on. */
export interface Divert {
  records(table: string, kind: Kind, records: readonly PlacedRecord[]): void | Promise<void>
  /** Takes all records of a file unparsed; they hold until the promise resolves. Default: they are parsed. */
  scanned?(table: string, entry: string, records: ScannedRecords): void | Promise<void>
}

/** The kinds that name files. They are stored even if records are diverted, so that the view `uploads` is right. */
const NAMING_FILES = ['attachments', 'releases', 'repository_files']

export function openRecordStores(
  database: Database,
  {
    divert,
    ...options
  }: {
    archive: number
    report: Report
    replaced: ReplacementCounter
    newestWins: boolean
    divert?: Divert | undefined
    /** Writes all records of a new database. */
    bulk?: BulkLoad | undefined
  },
): RecordStores {
  const tally = createProblemAggregator(options.report)
  const there = relationNames(database)
  const unknown = new Set(recordTables(database).filter((name) => !kindNamed(name)))
  const opened = new Map<string, { kind: Kind; store: RecordStore; counts: Counts }>()

  const open = (name: string, kindName: string) => {
    const known = opened.get(name)
    if (known) return known
    const kind = kindNamed(kindName) ?? unknownKind(kindName)
    const store = openRecordStore(database, name, kind, { ...options, there })
    const fresh = { kind, store, counts: { added: 0, replaced: 0, unchanged: 0 } }
    opened.set(name, fresh)
    return fresh
  }

  const tableOf = (kindName: string) =>
    kindNamed(kindName) ? kindName : tableForUnknown(kindName, unknown)

  /** Runs of records of one table go on together. */
  const divertBatch = async (stem: string, batch: readonly PlacedRecord[], { records }: Divert) => {
    let first = 0
    const kindAt = (i: number) => {
      const placed = batch[i]
      return placed && kindOfRecord(stem, placed.record)
    }
    for (let i = 1; i <= batch.length; i++) {
      const kindName = kindAt(first) as string
      if (kindAt(i) === kindName) continue
      const kind = kindNamed(kindName) ?? unknownKind(kindName)
      await records(tableOf(kindName), kind, batch.slice(first, i))
      first = i
    }
  }

  const storeBatch = (stem: string, batch: readonly PlacedRecord[]) => {
    for (const placed of batch) {
      const kindName = kindOfRecord(stem, placed.record)
      const name = tableOf(kindName)
      const { kind, store, counts } = open(name, kindName)
      const unforeseen: string[] = []
      const row = toRow(kind, placed.record, unforeseen)
      noteUnexpected(tally, { stem, name, kind }, placed, unforeseen)
      counts[store.add(placed, row)]++
    }
  }

  return {
    add(stem, batch) {
      if (!divert || NAMING_FILES.includes(stem)) storeBatch(stem, batch)
      return divert && batch.length > 0 ? divertBatch(stem, batch, divert) : undefined
    },
    takesCanonical(stem) {
      if (kindNamed(stem) === undefined) return false
      if (divert) return divert.scanned !== undefined && !NAMING_FILES.includes(stem)
      return options.bulk !== undefined
    },
    addCanonical(stem, entry, records) {
      if (divert?.scanned) return divert.scanned(stem, entry, records)
      const { store, counts } = open(stem, stem)
      if (!store.addCanonical) throw new TypeError(`${stem} has records of an earlier load`)
      store.addCanonical(entry, records)
      counts.added += records.records
    },
    finish(newer) {
      tally.flush()
      options.bulk?.finish()
      const others = [...opened].filter(([name]) => !kindNamed(name))
      completeTables(
        database,
        others.map(([name, { kind }]) => kindTable(name, kind)),
      )
      for (const { store, counts } of opened.values()) {
        const { added = 0, replaced = 0, unchanged = 0, outdated = 0 } = store.finish(newer)
        counts.added += added
        counts.replaced += replaced
        counts.unchanged += unchanged
        if (outdated > 0) counts.outdated = outdated
      }
      if (PEOPLE_TABLES.some((name) => opened.has(name))) {
        mergePeople(database, { ...options, newer }, (name, outcome) => {
          const counts = opened.get(name)?.counts
          if (!counts?.added) return
          counts.added--
          counts[outcome] = (counts[outcome] ?? 0) + 1
        })
      }
      return Object.fromEntries([...opened].map(([name, { counts }]) => [name, counts]))
    },
  }
}

/** Notes unexpected properties of a record, and its unexpected members. `stem` is the kind in the name of its file. */
function noteUnexpected(
  tally: ProblemAggregator,
  { stem, name, kind }: { stem: string; name: string; kind: Kind },
  { entry, index, record }: PlacedRecord,
  unforeseen: readonly string[],
): void {
  const place = { entry, record: index }
  if (typeof record.url !== 'string') {
    tally.note('record-without-url', `a record of ${name} without a url`, place)
  }
  if (kindNamed(name) === undefined) {
    tally.note(
      'kind-unknown',
      `records of the unknown kind ${stem} are in the table ${name}`,
      place,
    )
    return
  }
  if (name !== stem) {
    tally.note('record-type', `a record of type ${kind.type} in a file of ${stem}`, place)
  }
  for (const member of unforeseen) {
    const known = member === 'type' || Object.hasOwn(kind.columns, member)
    const value = record[member]
    if (!known) tally.note('member-unknown', `${name}.${member} is unknown`, { ...place, member })
    else if (typeof value === 'string' && !value.isWellFormed())
      tally.note('text-cut', `${name}.${member} has half a character`, { ...place, member })
    else tally.note('member-type', `${name}.${member} has an unexpected type`, { ...place, member })
  }
}
