import { resolve } from 'node:path'
import { anArchiveSource } from '../archive/entry.ts'
import { LIMIT_SHAPES, type Limits } from '../archive/limits.ts'
import { type ArchiveSource, checkSource, hashFile } from '../archive/open-archive.ts'
import { salvageEntry } from '../archive/salvage-entry.ts'
import { openReading } from '../archive-worker/open-reading.ts'
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
} from '../check-arguments.ts'
import { type ArchiveCounts, openArchiveStore } from '../database/archive-store.ts'
import { hasArchiveOfSize, stateOfArchive } from '../database/find-archive.ts'
import { openLoadTransaction } from '../database/load-transaction.ts'
import type { Database } from '../database/open-database.ts'
import { ArchiveError, LOSSES, type Problem, type Report } from '../errors.ts'
import { peelTags } from '../git/index-git-file.ts'
import type { JsonForm } from '../records/write-records.ts'
import { VERSION } from '../version.ts'
import { loadContents } from './load-contents.ts'
import { type Documents, storeEntry } from './store-entry.ts'

export interface LoadOptions {
  limits?: Partial<Limits> | undefined
  /** Store the contents of files, or of some; of others only paths, sizes and hashes. Default true. */
  files?: boolean | ((path: string) => boolean)
  /**
   * Take of a damaged archive what can be read, and report the rest (`rest-lost`, `entry-lost`, `record-lost`).
   * Default false: it is refused.
   */
  salvage?: boolean | undefined
  /**
   * Keep the record of the newest archive that has it, and its files and repositories, whatever the order of loading.
   * When an archive was made is told by its own dates. Default false: those of the archive loaded last.
   */
  newestWins?: boolean | undefined
  /** Make a new database even where there is one. Default false: the archives are added to it. */
  replace?: boolean
  /** Is told of each problem. */
  report?: Report | undefined
  /** Is told after each entry how far reading has come: bytes of the archive, and all of them if known. */
  progress?: (done: { archive: string; bytes: number; total: number | undefined }) => void
  signal?: AbortSignal | undefined
}

const someSources = anyOf(
  'the path of an archive, or its bytes with a name, or an array of these',
  ...[anArchiveSource, listOf(anArchiveSource)],
)

const LOAD_SHAPES: Shapes<LoadOptions> = {
  limits: objectOf(LIMIT_SHAPES),
  files: anyOf('true, false or a function', aFlag, aFunction),
  ...{ salvage: aFlag, newestWins: aFlag, replace: aFlag },
  ...{ report: aFunction, progress: aFunction, signal: aSignal },
}

/** What became of one archive. */
export interface LoadedArchive extends ArchiveCounts {
  name: string
  /** This very archive was in the database before; nothing but contents of files that had been left out was added. */
  alreadyLoaded: boolean
  /** Files of an archive loaded before whose contents are still left out, though they are asked for. */
  missing?: number
  /** Whether all of it is in the database, or only what could be salvaged. */
  state: 'complete' | 'salvaged'
  /** What was lost: the first 100 problems. */
  lost: Problem[]
}

export interface LoadSummary {
  database: string
  archives: LoadedArchive[]
}

/**
 * Streams archives into the SQLite database at `database`, which is made if it is not there. It shows all of
 * them or, after an error, none: a new file appears when it is whole, an existing one changes in one
 * transaction. Of records with one url the last wins. A large file is read in a thread of its own. Throws `ArchiveError`.
 */
export async function loadArchive(
  sources: ArchiveSource | readonly ArchiveSource[],
  database: string,
  options: LoadOptions = {},
): Promise<LoadSummary> {
  checkArguments({ sources, database }, { sources: someSources, database: aPath })
  checkOptions(options, LOAD_SHAPES)
  const all: readonly ArchiveSource[] = Array.isArray(sources) ? sources : [sources]
  if (all.some((source) => typeof source === 'string' && resolve(source) === resolve(database))) {
    const message = 'the output is the archive that is to be loaded'
    throw new ArchiveError('output-refused', message, { archive: database })
  }
  if (all.length === 0) throw new ArchiveError('archive-not-found', 'no archive was named')
  // Before the first is read, which may take hours.
  for (const source of all) await checkSource(source)
  const target = openLoadTransaction(database, { replace: options.replace ?? false })
  try {
    const archives: LoadedArchive[] = []
    for (const source of all) {
      archives.push(await loadOne(source, target.database, options))
    }
    target.commit()
    return { database, archives }
  } catch (error) {
    target.abandon()
    if (options.signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, error)
    throw error
  }
}

async function loadOne(
  source: ArchiveSource,
  database: Database,
  {
    files = true,
    newestWins = false,
    limits,
    salvage = false,
    report,
    progress,
    signal,
  }: LoadOptions,
): Promise<LoadedArchive> {
  const archive = await openReading(source, {
    ...{ limits, salvage, signal, hash: true, headers: true, runs: true },
    report: (problem) => store.report(problem),
  })
  const { name, size } = archive
  const earlier = await findLoaded(source, size, database)
  const contents = typeof files === 'function' ? files : () => files
  const complement = async (sha256: string, state: LoadedArchive['state']) => {
    const isWanted = state === 'complete' ? contents : () => false
    const found = await loadContents(source, sha256, database, { isWanted, limits, signal })
    return { name, ...NOTHING, ...found, alreadyLoaded: true, state }
  }
  if (earlier) return complement(earlier.sha256, earlier.state)
  const lost: Problem[] = []
  const store = openArchiveStore(database, {
    name,
    size,
    version: VERSION,
    contents,
    newestWins,
    report(problem) {
      if (LOSSES.includes(problem.code) && lost.length < MOST_LOST) lost.push(problem)
      report?.(problem)
    },
  })
  const form: Partial<JsonForm> = {}
  const documents: Documents = {}
  try {
    for await (const entry of archive.entries) {
      const options = { limits, salvage, report: store.report, form }
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
  return { name, ...counts, alreadyLoaded: false, state, lost }
}

const MOST_LOST = 100

// Worth a look beforehand: to hash a file is much faster than to load it for nothing.
async function findLoaded(source: ArchiveSource, size: number | undefined, database: Database) {
  if (typeof source !== 'string' || !size || !hasArchiveOfSize(database, size)) return undefined
  const sha256 = await hashFile(source)
  const state = stateOf(database, sha256)
  return state && { sha256, state }
}

/** Whether an archive is in the database, and all of it: what was salvaged may have been completed since. */
function stateOf(database: Database, sha256: string): LoadedArchive['state'] | undefined {
  const state = stateOfArchive(database, sha256)
  return state === undefined || state === 'salvaged' ? state : 'complete'
}

const NOTHING = { kinds: {}, problems: {}, lost: [] }
