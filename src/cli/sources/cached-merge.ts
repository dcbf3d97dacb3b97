import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { SCHEMA_VERSION } from '../../database/schema/schema-version.ts'
import { MOST_ATTACHED } from '../../database/sources/attached-tables.ts'
import { writeSources } from '../../database/sources/write-sources.ts'
import { isDatabase } from '../../files/is-database.ts'
import { partialOf } from '../../files/partial-file.ts'
import { isThere, publishFile } from '../../files/write-file.ts'
import type { Io } from '../command/io.ts'
import { holdEntry, listCache, openCacheFolder, removeEntry, trimCache } from './cache-folder.ts'
import {
  assertReadable,
  cachedDatabase,
  cacheKey,
  digest,
  type FoundDatabase,
  loadInto,
  openIntact,
  type Reading,
  stateOf,
  unlessFilled,
} from './cached-database.ts'
import { extendMerge, numberedOf, withNumbers } from './extend-merge.ts'
import { type LoadedSource, type MergedSource, noteSources } from './merged-sources.ts'

/** A source of several, and the name of it in the column `_source`. */
export interface NamedSource {
  readonly path: string
  readonly source: string
}

/**
 * The cached database of several sources, which is created if needed: one load of archives, or the records of databases, each
 * with the name of its source. Of records with one URL that of the newest source counts. If archives were added or changed since
 * the last time, only these are loaded.
 *
 * @param named the sources as named, such as a folder of them: they have one database, whatever is in the folder
 */
export async function cachedMerge(
  named: readonly string[],
  sources: readonly NamedSource[],
  io: Io,
  reading: Reading,
): Promise<FoundDatabase> {
  const { parts, archive, file } = await entryOf(named, sources, io)
  holdEntry(file, io)
  const database = isThere(file) ? openIntact(file) : undefined
  if (database) return { path: file, database }
  rmSync(file, { recursive: true, force: true })
  await unlessFilled(() => fillMerge(parts, file, io, reading))
  settle(archive, file, io)
  return { path: file }
}

/**
 * Databases, and archives beside them, as one without a copy of their rows. Undefined if there are too many, if all are archives,
 * which are loaded as one, and if the rows of all are in the cache already.
 */
export async function attachSources(
  named: readonly string[],
  sources: readonly NamedSource[],
  io: Io,
  reading: Reading,
): Promise<Database | undefined> {
  if (sources.length > MOST_ATTACHED || !(await haveDatabase(sources))) return undefined
  const { parts, archive, file: merged } = await entryOf(named, sources, io)
  if (isThere(merged)) return undefined
  const { attachDatabases, writeMergedSchema } = await import(
    '../../database/sources/attach-databases.ts'
  )
  const found = await databasesOf(parts, io, reading)
  const state = digest(JSON.stringify([parts, found])).slice(0, 16)
  const file = join(openCacheFolder(io), `${archive}-${state}-v${SCHEMA_VERSION}-joined.db`)
  holdEntry(file, io)
  const intact = isThere(file) ? openIntact(file) : undefined
  intact?.close()
  if (!intact) {
    rmSync(file, { recursive: true, force: true })
    await unlessFilled(() => writeMergedSchema(found, file, { signal: io.signal }))
    settle(archive, file, io)
  }
  return attachDatabases(file)
}

/** The entry of several sources in the cache, and the sources as they are now. */
async function entryOf(named: readonly string[], sources: readonly NamedSource[], io: Io) {
  for (const { path } of sources) assertReadable(path)
  const folder = openCacheFolder(io)
  const parts: MergedSource[] = []
  for (const { path, source } of sources) {
    parts.push({ path: resolve(path), source, state: await stateOf(path, io) })
  }
  const [only = ''] = named
  const archive =
    named.length === 1 ? cacheKey(only) : digest(named.map(cacheKey).join()).slice(0, 16)
  const state = digest(JSON.stringify(parts)).slice(0, 16)
  return { parts, archive, file: join(folder, `${archive}-${state}-v${SCHEMA_VERSION}.db`) }
}

/** Holds an entry that was just written, and removes what is there for earlier states of its sources. */
function settle(archive: string, file: string, io: Io): void {
  holdEntry(file, io)
  for (const entry of listCache(io)) {
    if (entry.archive === archive && entry.path !== file) removeEntry(entry)
  }
  trimCache(io)
}

const haveDatabase = async (sources: readonly NamedSource[]): Promise<boolean> =>
  (await Promise.all(sources.map(({ path }) => isDatabase(path)))).includes(true)

/** The databases of sources: those of archives are in the cache. */
async function databasesOf(
  sources: readonly NamedSource[],
  io: Io,
  reading: Reading,
): Promise<NamedSource[]> {
  const parts: NamedSource[] = []
  for (const { path, source } of sources) {
    const found = (await isDatabase(path)) ? { path } : await cachedDatabase(path, io, reading)
    found.database?.close()
    parts.push({ path: found.path, source })
  }
  return parts
}

async function fillMerge(
  sources: readonly MergedSource[],
  file: string,
  io: Io,
  reading: Reading,
): Promise<void> {
  if (await haveDatabase(sources)) {
    const parts = await databasesOf(sources, io, reading)
    const { mergeDatabases } = await import('../../database/sources/merge-databases.ts')
    return await mergeDatabases(parts, file, { signal: io.signal })
  }
  // If two archives have the same age, the later one in this order wins.
  const ordered = sources.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  if (await extendMerge(ordered, file, io, reading)) return
  const partial = partialOf(file)
  try {
    const { archives } = await loadInto(
      ordered.map(({ path }) => path),
      partial,
      io,
      { ...reading, newestWins: true },
    )
    let loaded = 0
    // A load numbers archives in their order, from 1.
    const parts = ordered.map(
      (part, i): LoadedSource =>
        archives[i]?.alreadyLoaded ? part : { ...part, archive: ++loaded },
    )
    const numbered = await withNumbers(parts, partial)
    const database = openDatabase(partial, { readonly: false })
    try {
      writeSources(database, numberedOf(numbered))
    } finally {
      database.close()
    }
    publishFile(partial, file, { force: false })
    noteSources(file, numbered)
  } finally {
    for (const part of [partial, `${partial}-journal`]) rmSync(part, { force: true })
  }
}
