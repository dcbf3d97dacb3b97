import { LOSSES, type ProblemCode } from '../base/error-codes.ts'
import type { Report } from '../base/errors.ts'
import { readDocument, readSchema } from '../records/read-schema.ts'
import { type Age, compareAges, keepNewerFiles, reportOlder } from './archive-ages.ts'
import { openArchiveDates } from './archive-dates.ts'
import { createEntryStore, type LoadedEntry } from './archive-layout.ts'
import { type AuditLogStore, openAuditLogStore } from './audit-log.ts'
import type { BulkLoad } from './bulk/bulk-load.ts'
import { type IncomingFile, openFileStore, removeFiles } from './contents/store-file.ts'
import { hasArchive, hasArchives } from './find-archive.ts'
import { type GitStore, openGitStore } from './git-store.ts'
import type { Database } from './open-database.ts'
import { openProblemStore } from './problem-store.ts'
import { quoteName } from './quote.ts'
import { insertedId } from './read-pages.ts'
import { recordTables } from './rows/read-record.ts'
import type { Counts } from './rows/record-store.ts'
import { type Divert, openRecordStores, type RecordStores } from './rows/record-stores.ts'
import { createReplacementCounter } from './rows/replacement-counter.ts'
import { completeIndexesForLoads } from './schema/schema.ts'

/** The result of loading an archive. */
export interface ArchiveCounts extends Age {
  /** By table. */
  kinds: Record<string, Counts>
  /** Files without records, and the bytes of their contents. */
  files: { count: number; bytes: number }
  /** Number of occurrences, even if a problem is reported once for many records. */
  problems: Partial<Record<ProblemCode, number>>
}

/** Facts about an archive that are known when all of it has been read. */
export interface ArchiveFacts {
  sha256: string
  form: { container?: string; source?: string }
  schema?: string
  urls?: string
}

/** Stores the content of one archive. */
export interface ArchiveStore
  extends Pick<GitStore, 'addRef' | 'addPack'>,
    Pick<RecordStores, 'takesCanonical' | 'addCanonical'> {
  report: Report
  addRecords: RecordStores['add']
  addRecordFile(file: {
    path: string
    stem: string
    records: number
    size: number
    modifiedAt: Date
    crc32: number
    layout: 'host' | 'compact' | 'other'
    checksums: Uint8Array
  }): void
  auditLog: AuditLogStore
  /** Returns the SHA-256 of the content in hex. */
  addFile(file: IncomingFile): Promise<string>
  addEntry(entry: LoadedEntry): void
  /** Completes the tables, but for the indexes of readers. Returns undefined, and adds nothing, if the same archive is already loaded. */
  finish(facts: ArchiveFacts): ArchiveCounts | undefined
}

export function openArchiveStore(
  database: Database,
  options: {
    name: string
    /** Bytes of the file; undefined for a folder. */
    size: number | undefined
    /** Whether to store the content of the file with this path. */
    contents: (path: string) => boolean
    /** Whether the newest archive wins, instead of the last one loaded. */
    newestWins: boolean
    /** The version of this program. */
    version: string
    /** Takes all records in place of their tables. */
    divert?: Divert | undefined
    /** Writes the records of the first archive of a new database. */
    bulk?: BulkLoad | undefined
    report: Report | undefined
  },
): ArchiveStore {
  const isFirst = !hasArchives(database)
  if (!isFirst) {
    database.exec('SAVEPOINT archive')
    // Its records are looked up, and go to as many places as there are tables and indexes.
    database.pragma('cache_size = -16384')
  }
  const archive = insertArchive(database, options)
  const counts: ArchiveCounts = { kinds: {}, files: { count: 0, bytes: 0 }, problems: {} }
  const problems = openProblemStore(database, archive, counts.problems, (problem) =>
    options.report?.({ ...problem, place: { archive: options.name, ...problem.place } }),
  )
  const { report } = problems
  const replaced = createReplacementCounter(database)
  const { contents, newestWins, divert } = options
  const bulk = isFirst ? options.bulk : undefined
  const records = openRecordStores(database, {
    archive,
    report,
    replaced,
    newestWins,
    divert,
    bulk,
  })
  const dates = openArchiveDates(database, { archive, isFirst })
  const files = openFileStore(database, { archive, isFirst, contents, report })
  const auditLog = openAuditLogStore(database, archive)
  const git = openGitStore(database, { archive, isFirst, report })
  const insertFile = database.prepare(
    'INSERT INTO record_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)',
  )

  return {
    report,
    addRecords(stem, batch) {
      if (!isFirst) for (const { record } of batch) dates.note(record)
      return records.add(stem, batch)
    },
    takesCanonical: records.takesCanonical,
    addCanonical: records.addCanonical,
    auditLog,
    addRef: git.addRef,
    addPack: git.addPack,
    addEntry: createEntryStore(database, archive),
    addRecordFile({ path, stem, records, size, modifiedAt, crc32, layout, checksums }) {
      const time = modifiedAt.toISOString()
      insertFile.run(archive, path, stem, records, size, time, crc32, layout, checksums)
    },
    async addFile(file) {
      const { size, sha256 } = await files.add(file)
      counts.files.bytes += size
      counts.files.count++
      return sha256
    },
    finish({ sha256, form, schema, urls }) {
      if (hasArchive(database, sha256)) {
        database.exec('ROLLBACK TO archive; RELEASE archive')
        return undefined
      }
      const newer = dates.finish(form.container)
      const staying = newestWins ? newer : new Set<number>()
      counts.kinds = records.finish(staying)
      replaced.finish()
      completeIndexesForLoads(database)
      const salvaged = LOSSES.some((code) => counts.problems[code])
      if (salvaged && !isFirst) keepEarlierGit(database, archive, report)
      if (form.source !== undefined && !isFirst) keepGitOfMade(database, archive, report)
      if (staying.size > 0) keepNewerFiles(database, archive, staying)
      Object.assign(counts, compareAges(database, archive, replaced))
      if (!newestWins) reportOlder(counts, replaced, newer, report)
      git.finish()
      files.finish()
      auditLog.finish()
      const facts = schema === undefined ? {} : readSchema(schema, report)
      if (urls !== undefined) readDocument('urls.json', urls, report)
      problems.finish()
      completeArchive(database, archive, {
        sha256,
        form: JSON.stringify(form),
        schema,
        urls,
        state: salvaged ? 'salvaged' : 'complete',
        schema_version: facts.version,
        github_sha: facts.github_sha,
      })
      if (!isFirst) {
        markReplaced(database, archive)
        database.exec('RELEASE archive')
      }
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
  return insertedId(insert.run(name, size ?? null, new Date().toISOString(), version))
}

function completeArchive(
  database: Database,
  archive: number,
  values: Record<string, string | undefined>,
): void {
  const changes = Object.keys(values).map((column) => `${column} = ?`)
  database
    .prepare(`UPDATE archives SET ${changes.join(', ')} WHERE id = ?`)
    .run(...Object.values(values).map((value) => value ?? null), archive)
}

/**
 * Drops the Git data of a salvaged archive for repositories that a complete archive has, and reports `entry-lost`: half
 * a repository is worse than an old one, and the two cannot be mixed.
 */
function keepEarlierGit(database: Database, archive: number, report: Report): void {
  for (const repository of dropGit(database, archive)) {
    const message = 'Git data that may be incomplete was dropped in favor of an earlier archive'
    report({ code: 'entry-lost', place: { entry: `repositories/${repository}.git` }, message })
  }
}

/** Drops the empty repositories that were made for a backup without clones, where an earlier archive has the Git data. */
function keepGitOfMade(database: Database, archive: number, report: Report): void {
  const isMade = `repository NOT IN (
    SELECT repository FROM refs WHERE archive = ${archive} AND oid IS NOT NULL)`
  for (const repository of dropGit(database, archive, isMade)) {
    const message = `${repository}: an empty repository, because an earlier archive has its Git data`
    report({ code: 'source-left-out', place: {}, message })
  }
}

/** Drops the Git data of an archive for repositories that a complete archive has. Returns their names. */
function dropGit(database: Database, archive: number, where = 'true'): string[] {
  const held = `archive = ${archive} AND ${where} AND repository IN (
    SELECT repository FROM files JOIN archives ON archives.id = files.archive
    WHERE archive <> ${archive} AND state = 'complete')`
  const names = database
    .prepare<[], string>(`SELECT DISTINCT repository FROM files WHERE ${held}`)
    .pluck()
    .all()
  for (const table of ['refs', 'git_packs']) database.exec(`DELETE FROM ${table} WHERE ${held}`)
  if (names.length > 0) removeFiles(database, held)
  return names
}

/** Marks salvaged archives as replaced if nothing of them is left. */
function markReplaced(database: Database, archive: number): void {
  const salvaged = database
    .prepare<[number], number>("SELECT id FROM archives WHERE state = 'salvaged' AND id <> ?")
    .pluck()
    .all(archive)
  for (const id of salvaged) {
    const places = [
      ...recordTables(database).map((name) => `${quoteName(name)} WHERE _archive = ${id}`),
      `files WHERE archive = ${id}`,
    ]
    const isHeld = places.some((place) => database.prepare(`SELECT 1 FROM ${place} LIMIT 1`).get())
    if (!isHeld) database.prepare("UPDATE archives SET state = 'replaced' WHERE id = ?").run(id)
  }
}
