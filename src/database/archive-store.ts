import type { ProblemCode, Report } from '../errors.ts'
import type { Kind } from '../records/kind.ts'
import { kindNamed, kindOfRecord } from '../records/kind-of-record.ts'
import type { PlacedRecord } from '../records/read-records.ts'
import { readDocument, readSchema } from '../records/read-schema.ts'
import { openTally } from '../records/tally.ts'
import { hasArchive } from './find-archive.ts'
import { noteOddities } from './note-oddities.ts'
import type { Database } from './open-database.ts'
import { openProblemStore } from './problem-store.ts'
import { recordTables } from './read-record.ts'
import { type Outcome, openRecordStore, type RecordStore } from './record-store.ts'
import { completeSchema } from './schema.ts'
import { type IncomingFile, openFileStore } from './store-file.ts'
import { toRow } from './to-row.ts'
import { tableForUnknown, unknownKind } from './unknown-kind.ts'

export type Counts = { [outcome in Outcome]: number }

/** What loading an archive came to. */
export interface ArchiveCounts {
  /** By table. */
  kinds: Record<string, Counts>
  files: { count: number; bytes: number }
  problems: Partial<Record<ProblemCode, number>>
}

/** What identifies an archive, known when all of it was read. */
export interface ArchiveFacts {
  sha256: string
  form: object
  schema?: string
  urls?: string
}

/** Stores what one archive holds. */
export interface ArchiveStore {
  report: Report
  addRecords(stem: string, batch: readonly PlacedRecord[]): void
  addShard(shard: {
    path: string
    stem: string
    records: number
    size: number
    modifiedAt: Date
  }): void
  addFile(file: IncomingFile): Promise<void>
  /** Completes the tables. Returns undefined, with nothing added, if this very archive is there already. */
  finish(facts: ArchiveFacts): ArchiveCounts | undefined
}

export function openArchiveStore(
  database: Database,
  options: {
    name: string
    /** Bytes of the file, if it is one. */
    size: number | undefined
    /** Store the contents of files. */
    contents: boolean
    /** Of this program. */
    version: string
    report: Report | undefined
  },
): ArchiveStore {
  const isFirst = database.prepare('SELECT 1 FROM archives').get() === undefined
  if (!isFirst) database.exec('SAVEPOINT archive')
  const archive = insertArchive(database, options)
  const counts: ArchiveCounts = { kinds: {}, files: { count: 0, bytes: 0 }, problems: {} }
  const report = openProblemStore(database, archive, counts.problems, (problem) =>
    options.report?.({ ...problem, place: { archive: options.name, ...problem.place } }),
  )
  const tally = openTally(report)
  const files = openFileStore(database, {
    archive,
    isFirst,
    contents: options.contents,
    report,
  })
  const stores = new Map<string, { kind: Kind; store: RecordStore; counts: Counts }>()
  const unknown = new Set(recordTables(database).filter((name) => !kindNamed(name)))

  const tableNameOf = (kindName: string): string =>
    kindNamed(kindName) ? kindName : tableForUnknown(kindName, unknown)
  const open = (name: string, kindName: string) => {
    const known = stores.get(name)
    if (known) return known
    const kind = kindNamed(kindName) ?? unknownKind(kindName)
    const store = openRecordStore(database, name, kind, { archive, report })
    const opened = { kind, store, counts: { added: 0, replaced: 0, unchanged: 0 } }
    stores.set(name, opened)
    counts.kinds[name] = opened.counts
    return opened
  }
  const insertShard = database.prepare('INSERT INTO shards VALUES (?, ?, ?, ?, ?, ?)')

  return {
    report,
    addRecords(stem, batch) {
      for (const placed of batch) {
        const kindName = kindOfRecord(stem, placed.record)
        const name = tableNameOf(kindName)
        const { kind, store, counts } = open(name, kindName)
        const row = toRow(kind, placed.record)
        noteOddities(tally, { stem, name, kind }, placed, row)
        counts[store.add(placed, row)]++
      }
    },
    addShard({ path, stem, records, size, modifiedAt }) {
      insertShard.run(archive, path, stem, records, size, modifiedAt.toISOString())
    },
    async addFile(file) {
      counts.files.bytes += await files.add(file)
      counts.files.count++
    },
    finish({ sha256, form, schema, urls }) {
      if (hasArchive(database, sha256)) {
        database.exec('ROLLBACK TO archive; RELEASE archive')
        return undefined
      }
      tally.flush()
      for (const { store, counts } of stores.values()) counts.added -= store.finish()
      completeSchema(database)
      files.finish()
      const { version, github_sha } = schema === undefined ? {} : readSchema(schema, report)
      if (urls !== undefined) readDocument('urls.json', urls, report)
      database
        .prepare(
          `UPDATE archives SET sha256 = ?, form = ?, schema = ?, urls = ?, schema_version = ?,
           github_sha = ? WHERE id = ?`,
        )
        .run(
          ...[sha256, JSON.stringify(form), schema, urls, version, github_sha].map(
            (v) => v ?? null,
          ),
          archive,
        )
      if (!isFirst) database.exec('RELEASE archive')
      return counts
    },
  }
}

function insertArchive(
  database: Database,
  { name, size, version }: { name: string; size: number | undefined; version: string },
): number {
  const insert = database.prepare(
    `INSERT INTO archives (name, size, sha256, state, form, loaded_at, loaded_by)
     VALUES (?, ?, hex(randomblob(32)), 'complete', '{}', ?, ?)`,
  )
  const { lastInsertRowid } = insert.run(name, size ?? null, new Date().toISOString(), version)
  return Number(lastInsertRowid)
}
