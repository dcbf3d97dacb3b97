import { basename, resolve } from 'node:path'
import { anArchiveSource } from '../archive/entry.ts'
import { type ArchiveSource, checkSource, hashFile } from '../archive/open-archive.ts'
import { salvageEntry } from '../archive/salvage-entry.ts'
import type { ReadEntry } from '../archive-worker/read-in-worker.ts'
import {
  aFlag,
  aFunction,
  anyOf,
  aPath,
  aSignal,
  checkArguments,
  checkOptions,
  listOf,
  objectOf,
  type Shapes,
} from '../base/check-arguments.ts'
import { LOSSES, SOURCE_PROBLEMS } from '../base/error-codes.ts'
import { ArchiveError, orInterrupted, type Problem, type Report } from '../base/errors.ts'
import { LIMIT_SHAPES, type Limits } from '../base/limits.ts'
import { VERSION } from '../base/version.ts'
import { type ArchiveCounts, openArchiveStore } from '../database/archive-store.ts'
import { hasArchiveOfSize, stateOfArchive } from '../database/find-archive.ts'
import { type LoadTransaction, openLoadTransaction } from '../database/load-transaction.ts'
import type { Database } from '../database/open-database.ts'
import { openRowChecksums } from '../database/row-checksums.ts'
import type { Divert } from '../database/rows/record-stores.ts'
import { completeIndexes, completeViews } from '../database/schema/schema.ts'
import { peelTags } from '../git/index-git-file.ts'
import { RecordScanner } from '../records/canonical/read-canonical.ts'
import type { JsonForm } from '../records/write-records.ts'
import { openSource } from '../sources/open-source.ts'
import { SOURCE_OPTIONS, type SourceOptions } from '../sources/source-options.ts'
import { loadContents } from './load-contents.ts'
import { type Documents, storeEntry } from './store-entry.ts'

/** Options of a load. */
export interface LoadOptions {
  /** Limits that differ from `DEFAULT_LIMITS`. */
  limits?: Partial<Limits> | undefined
  /**
   * Store the contents of all files, of none, or of those for which the function returns true. Paths, sizes and hashes of
   * every file are stored. Default true.
   */
  files?: boolean | ((path: string) => boolean) | undefined
  /**
   * Recover what is readable of a damaged archive, and report the rest (`rest-lost`, `entry-lost`, `record-lost`).
   * Default false: refuse it.
   */
  salvage?: boolean | undefined
  /**
   * Keep records, files and repositories of the newest archive that has them, rather than of the one loaded last. The age
   * of an archive follows from its own dates. Default false.
   */
  newestWins?: boolean | undefined
  /**
   * Load the others if an archive is damaged or refused, and list it in `failed`. What was loaded of it is taken back. If all
   * fail, the first error is thrown. Default false: the first error stops the load, and nothing is loaded.
   */
  keepGoing?: boolean | undefined
  /** Replace an existing database. Default false: add the archives to it. */
  replace?: boolean | undefined
  /** What to take backups and exports of other programs for. */
  source?: SourceOptions | undefined
  /** Receives each problem. */
  report?: Report | undefined
  /** Called after each entry with the bytes read of the archive, and their total if known. */
  progress?:
    | ((done: { archive: string; bytes: number; total: number | undefined }) => void)
    | undefined
  /** Stops the load, with `interrupted`. Then the database is as it was before. */
  signal?: AbortSignal | undefined
}

const someSources = anyOf(
  'the path of an archive, or its bytes with a name, or an array of these',
  anArchiveSource,
  listOf(anArchiveSource),
)

const LOAD_SHAPES: Shapes<LoadOptions> = {
  limits: objectOf(LIMIT_SHAPES),
  files: anyOf('true, false or a function', aFlag, aFunction),
  salvage: aFlag,
  newestWins: aFlag,
  keepGoing: aFlag,
  replace: aFlag,
  source: SOURCE_OPTIONS,
  report: aFunction,
  progress: aFunction,
  signal: aSignal,
}

/** The result of loading one archive. */
export interface LoadedArchive extends ArchiveCounts {
  /** The name of the archive; its path as given if several have the name. */
  name: string
  /** The same archive was already loaded; only contents of files that were missing were added. */
  alreadyLoaded: boolean
  /** Files of an archive loaded before whose requested contents are still missing. */
  missing?: number
  /** Whether all of it was loaded, or only what could be salvaged. */
  state: 'complete' | 'salvaged'
  /** The first 100 problems that report losses. */
  lost: Problem[]
  /** Problems of reading a backup or export of another program, one for each reason. */
  reasons?: Problem[]
}

/** The result of `loadArchive`. */
export interface LoadSummary {
  /** The path of the database as given. */
  database: string
  /** The archives in the order in which they were loaded. */
  archives: LoadedArchive[]
  /** With `keepGoing`, the archives that were not loaded, and why. */
  failed?: FailedArchive[]
}

/** An archive that was not loaded. */
export interface FailedArchive {
  /** The name of the archive. */
  name: string
  /** Why it was not loaded. */
  error: ArchiveError
}

/**
 * Streams archives into an SQLite database, all or nothing: a new database appears when it is complete, an existing one
 * changes in one transaction. If several records have the same URL, the last is kept. A large file is read in a worker
 * thread.
 *
 * @param sources one archive or several: paths, or bytes with a name for messages
 * @param database the path of the database, which is created if it does not exist
 * @param options limits, contents of files, salvage and reports
 * @returns the number of records, files and problems of each archive
 * @throws the codes of `readArchive` and `readRecords`, `archive-unrecognized`, `source-damaged`, `database-…`, `output-…`, `interrupted`
 *   or `option-invalid`
 * @example
 * const { archives } = await loadArchive('export.tar.gz', 'export.db')
 */
export async function loadArchive(
  sources: ArchiveSource | readonly ArchiveSource[],
  database: string,
  options: LoadOptions = {},
): Promise<LoadSummary> {
  checkArguments({ sources, database }, { sources: someSources, database: aPath })
  checkOptions(options, LOAD_SHAPES)
  const all: readonly ArchiveSource[] = Array.isArray(sources) ? sources : [sources]
  const isOutput = (source: ArchiveSource) =>
    typeof source === 'string' && resolve(source) === resolve(database)
  for (const source of all.filter(isOutput)) {
    await checkSource(source)
    const message = 'the output is the archive that is to be loaded'
    throw new ArchiveError('output-refused', message, { archive: database })
  }
  if (all.length === 0) throw new ArchiveError('archive-not-found', 'no archive was named')
  // Checked before the first is read, which may take hours.
  const { keepGoing = false, replace = false } = options
  if (!keepGoing) for (const source of all) await checkSource(source)
  let target = openLoadTransaction(database, { replace })
  try {
    const archives: LoadedArchive[] = []
    const failed: FailedArchive[] = []
    const nameOf = namesAmong(all)
    let checksums = openRowChecksums(target.database)
    for (const source of all) {
      if (!keepGoing) {
        archives.push(await loadNamed(source, nameOf(source), target, options))
        continue
      }
      const isFirst = archives.length === 0
      const named = { source, name: nameOf(source) }
      const { loaded, error, next } = await tryOne(named, target, { database, isFirst, options })
      if (loaded) archives.push(loaded)
      if (error) failed.push({ name: named.name, error })
      if (next) {
        target = next
        checksums = openRowChecksums(target.database)
      }
    }
    if (archives.length === 0 && failed[0]) throw failed[0].error
    checksums.finish()
    completeIndexes(target.database)
    completeViews(target.database)
    target.commit()
    return { database, archives, ...(keepGoing && { failed }) }
  } catch (error) {
    target.abandon()
    throw orInterrupted(error, options.signal)
  }
}

/**
 * Loads an archive. If it is damaged or refused, takes back what was loaded of it, and returns the error. Then `next` is the
 * transaction to go on in, if it is another one.
 */
async function tryOne(
  { source, name }: { source: ArchiveSource; name: string },
  target: LoadTransaction,
  { database, isFirst, options }: { database: string; isFirst: boolean; options: LoadOptions },
): Promise<{ loaded?: LoadedArchive; error?: ArchiveError; next?: LoadTransaction }> {
  // The first archive of a new database is written without SQL, which cannot take it back.
  const isWithoutSql = isFirst && target.bulk !== undefined
  if (!isWithoutSql) target.database.exec('SAVEPOINT archive')
  try {
    await checkSource(source)
    const loaded = await loadNamed(source, name, target, options)
    if (!isWithoutSql) target.database.exec('RELEASE archive')
    return { loaded }
  } catch (error) {
    if (!isAboutArchive(error)) throw error
    if (isWithoutSql) {
      target.abandon()
      return { error, next: openLoadTransaction(database, { replace: options.replace ?? false }) }
    }
    target.database.exec('ROLLBACK TO archive')
    target.database.exec('RELEASE archive')
    return { error }
  }
}

/** Whether an error is about what was read, and not about the database, a full disk or an interrupt. */
const isAboutArchive = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveError && !/^(?:database|output|option|interrupted)/.test(error.code)

/** Loads an archive. The result, or the error, has its name among others. */
async function loadNamed(
  source: ArchiveSource,
  name: string,
  target: LoadTransaction,
  options: LoadOptions,
): Promise<LoadedArchive> {
  try {
    return { ...(await loadOne(source, target, options)), name }
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.place.archive !== sourceNameOf(source))
      throw error
    const place = { ...error.place, archive: name }
    throw new ArchiveError(error.code, error.message, place, error.cause, error)
  }
}

/** Names sources without their folders, or if several have one name, by their paths as given. */
function namesAmong(all: readonly ArchiveSource[]): (source: ArchiveSource) => string {
  const names = [...new Set(all)].map(sourceNameOf).sort()
  const shared = new Set(names.filter((name, i) => name === names[i + 1]))
  return (source) => {
    const name = sourceNameOf(source)
    return typeof source === 'string' && shared.has(name) ? source : name
  }
}

const sourceNameOf = (source: ArchiveSource): string =>
  typeof source === 'string' ? basename(resolve(source)) : source.name

/**
 * Reads an archive as `loadArchive` does, but hands its records to `divert` and stores everything else in an empty
 * database: entries, refs, and files without their contents.
 */
export const divertArchive = (
  source: ArchiveSource,
  database: Database,
  divert: Divert,
  options: Pick<LoadOptions, 'limits' | 'salvage' | 'report' | 'progress' | 'signal'>,
): Promise<LoadedArchive> => loadOne(source, { database }, { ...options, files: false, divert })

async function loadOne(
  source: ArchiveSource,
  { database, bulk }: Pick<LoadTransaction, 'database' | 'bulk'>,
  {
    files = true,
    newestWins = false,
    limits,
    salvage = false,
    report,
    progress,
    signal,
    divert,
    source: sourceOptions,
  }: LoadOptions & { divert?: Divert },
): Promise<LoadedArchive> {
  const reading = {
    limits,
    salvage,
    signal,
    hash: true,
    headers: true,
    report: (problem: Problem) => store.report(problem),
  }
  const archive = await openSource(source, reading, sourceOptions)
  const { name, size } = archive
  const earlier = await findLoaded(source, size, database)
  const contents = typeof files === 'function' ? files : () => files
  const complement = async (sha256: string, state: LoadedArchive['state']) => {
    const isWanted = state === 'complete' ? contents : () => false
    const found = await loadContents(source, sha256, database, {
      isWanted,
      limits,
      signal,
      source: sourceOptions,
    })
    progress?.({ archive: name, bytes: size ?? 0, total: size })
    return { name, ...NOTHING, ...found, alreadyLoaded: true, state }
  }
  if (earlier) return complement(earlier.sha256, earlier.state)
  const lost: Problem[] = []
  const reasons: Problem[] = []
  const store = openArchiveStore(database, {
    name,
    size,
    version: VERSION,
    contents,
    newestWins,
    divert,
    bulk,
    report(problem) {
      if (LOSSES.includes(problem.code) && lost.length < MOST_LOST) lost.push(problem)
      if (SOURCE_PROBLEMS.includes(problem.code)) reasons.push(problem)
      report?.(problem)
    },
  })
  const form: Partial<JsonForm> = {}
  const documents: Documents = {}
  const scanner = new RecordScanner()
  try {
    for await (const entry of archive.entries) {
      const options = { limits, salvage, report: store.report, form, scanner }
      const storing = (entry: ReadEntry) => storeEntry(entry, store, documents, options)
      await (salvage ? salvageEntry(entry, store.report, storing) : storing(entry))
      progress?.({ archive: name, bytes: archive.bytesRead(), total: size })
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error.at({ archive: name }) : error
  }
  const sha256 = archive.sha256()
  const before = stateOf(database, sha256)
  const facts = { sha256, form: { ...archive.form, ...form }, ...documents }
  const counts = store.finish(facts)
  if (!counts) return complement(sha256, before ?? 'complete')
  peelTags(database)
  const state = lost.length > 0 ? 'salvaged' : 'complete'
  const told = reasons.length > 0 ? { reasons } : {}
  return { name, ...counts, alreadyLoaded: false, state, lost, ...told }
}

const MOST_LOST = 100

// Hashing a file is much faster than loading it again.
async function findLoaded(source: ArchiveSource, size: number | undefined, database: Database) {
  if (typeof source !== 'string' || !size || !hasArchiveOfSize(database, size)) return undefined
  const sha256 = await hashFile(source)
  const state = stateOf(database, sha256)
  return state && { sha256, state }
}

/** Whether an archive is completely in the database. A salvaged one may be repaired now. */
function stateOf(database: Database, sha256: string): LoadedArchive['state'] | undefined {
  const state = stateOfArchive(database, sha256)
  return state === undefined || state === 'salvaged' ? state : 'complete'
}

const NOTHING = { kinds: {}, problems: {}, lost: [] }
