import { constants, copyFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { hashFile } from '../../archive/open-archive.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { dependsOnOrder, forgetArchive } from '../../database/sources/replace-archives.ts'
import { removeSources, writeSources } from '../../database/sources/write-sources.ts'
import { isPlainFile } from '../../files/inner-folder.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import type { Io } from '../command/io.ts'
import { loadInto, openIntact, type Reading } from './cached-database.ts'
import {
  findBase,
  keyOf,
  type LoadedSource,
  type MergedSource,
  noteSources,
  ofLastPath,
} from './merged-sources.ts'

/**
 * Makes the cached database of archives from a copy of one that has most of them: loads only those that are new or changed.
 * False, and nothing is made, if there is none, or if the result might differ from that of a load of all: if it depends on the
 * order of the archives, or if a changed one has lost records, which an older archive may have.
 *
 * @param sources in the order in which all would be loaded
 */
export async function extendMerge(
  sources: readonly MergedSource[],
  file: string,
  io: Io,
  reading: Reading,
): Promise<boolean> {
  const base = findBase(sources, io)
  if (!base) return false
  const partial = partialOf(file)
  try {
    if (!copyIntact(base.database, partial)) return false
    const known: LoadedSource[] = [...base.same]
    const replaced: LoadedSource[] = []
    for (const each of base.changed) {
      const now = sources.find((source) => keyOf(source) === keyOf(each)) as MergedSource
      if (await isSameArchive(each, partial)) known.push({ ...each, state: now.state })
      else replaced.push(each)
    }
    const isKnown = new Set(known.map(keyOf))
    const added = sources.filter((each) => !isKnown.has(keyOf(each)))
    const last = sources.findLastIndex((each) => isKnown.has(keyOf(each)))
    const isInOrder = replaced.length === 0 && added.length === sources.length - last - 1
    if (added.length > 0) withDatabase(partial, removeSources)
    const numbered = await loadAdded(added, partial, io, reading)
    const found = new Map([...known, ...numbered].map((each) => [keyOf(each), each]))
    const all = await withNumbers(
      sources.map((each) => found.get(keyOf(each)) ?? each),
      partial,
    )
    const isExact = withDatabase(partial, (database) => {
      const old = replaced.flatMap(({ archive }) => archive ?? [])
      if (!isInOrder && dependsOnOrder(database)) return false
      // It may be another one of the sources as well.
      if (replaced.length > 0 && all.some(({ archive }) => archive === undefined)) return false
      if (!old.every((archive) => forgetArchive(database, archive))) return false
      if (added.length > 0) writeSources(database, numberedOf(all))
      return true
    })
    if (!isExact) return false
    publishFile(partial, file, { force: false })
    noteSources(file, all)
    return true
  } finally {
    for (const part of [partial, `${partial}-journal`]) rmSync(part, { force: true })
  }
}

/** Copies a database. False if it is damaged, or if another command removes it from the cache. */
function copyIntact(from: string, to: string): boolean {
  const intact = openIntact(from)
  if (!intact) return false
  intact.close()
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** The sources that have an archive of their own. */
export const numberedOf = (
  sources: readonly LoadedSource[],
): (LoadedSource & { archive: number })[] =>
  sources.flatMap(({ archive, ...source }) => (archive === undefined ? [] : { ...source, archive }))

/** The sources with the numbers of their archives in a database, where each archive gets the name of its last path. */
export async function withNumbers(
  sources: readonly LoadedSource[],
  database: string,
): Promise<LoadedSource[]> {
  const numberOf = (sha256: string) =>
    withDatabase(database, (opened) =>
      opened
        .prepare<[string], number>('SELECT id FROM archives WHERE sha256 = ?')
        .pluck()
        .get(sha256),
    )
  const numbered = await ofLastPath(sources, numberOf)
  const moved = numbered.filter(({ archive }, i) => archive !== sources[i]?.archive)
  if (moved.length > 0) {
    withDatabase(database, (opened) => {
      const rename = opened.prepare('UPDATE archives SET name = ? WHERE id = ?')
      for (const { path, archive } of numberedOf(moved)) rename.run(basename(path), archive)
    })
  }
  return numbered
}

/** Whether a file that has changed still is the archive that was loaded. */
async function isSameArchive({ path, archive }: LoadedSource, database: string): Promise<boolean> {
  if (archive === undefined || !isPlainFile(path)) return false
  const sha256 = withDatabase(database, (opened) =>
    opened
      .prepare<[number], string>('SELECT sha256 FROM archives WHERE id = ?')
      .pluck()
      .get(archive),
  )
  return sha256 === (await hashFile(path))
}

/** Loads archives, and numbers them as the load does. */
async function loadAdded(
  added: readonly MergedSource[],
  database: string,
  io: Io,
  reading: Reading,
): Promise<LoadedSource[]> {
  if (added.length === 0) return []
  const numbers = () =>
    withDatabase(database, (opened) =>
      opened.prepare<[], number>('SELECT id FROM archives ORDER BY id').pluck().all(),
    )
  const before = new Set(numbers())
  const paths = added.map(({ path }) => path)
  const { archives } = await loadInto(paths, database, io, { ...reading, newestWins: true })
  const made = numbers().filter((id) => !before.has(id))
  return added.map((part, i) =>
    archives[i]?.alreadyLoaded ? part : { ...part, archive: made.shift() },
  )
}

function withDatabase<T>(path: string, work: (database: Database) => T): T {
  const database = openDatabase(path, { readonly: false })
  try {
    return work(database)
  } finally {
    database.close()
  }
}
