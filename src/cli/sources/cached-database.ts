import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { roleOf } from '../../archive/entry-role.ts'
import type { ArchiveSource } from '../../archive/open-archive.ts'
import { requireFolder } from '../../archive-worker/require-folder.ts'
import { ArchiveError, systemReason, throwIfInterrupted } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { SCHEMA_VERSION } from '../../database/schema/schema-version.ts'
import { isPlainFile } from '../../files/inner-folder.ts'
import { isOwnFolder } from '../../files/own-folder.ts'
import { partialOf } from '../../files/partial-file.ts'
import { cacheFolder } from '../../files/private-folder.ts'
import { isThere, publishFile } from '../../files/write-file.ts'
import type { LoadSummary } from '../../load/load-archive.ts'
import type { Io } from '../command/io.ts'
import { readingProgress } from '../options/reading-options.ts'
import { holdEntry, listCache, openCacheFolder, removeEntry, trimCache } from './cache-folder.ts'

// Indexes of packs are small and list the objects, so every cached database has them.
const isPackIndex = (path: string) => path.endsWith('.idx')

/** The files whose contents a command needs. */
const CONTENTS = {
  none: isPackIndex,
  git: (path: string) => roleOf(path).role === 'git',
  // A record may name a file outside the folders of uploads, but not Git data.
  uploads: (path: string) => isPackIndex(path) || !['git', 'lfs'].includes(roleOf(path).role),
  all: () => true,
} as const satisfies Record<string, (path: string) => boolean>

export interface Reading {
  quiet?: boolean | undefined
  /** The contents that the command needs. Default: only indexes of packs. */
  contents?: keyof typeof CONTENTS
  /** The command writes files, so an interrupt must let it clean up. */
  writes?: boolean
}

/** The path of a database, and the database itself if it was opened to find out whether it is intact. */
export interface FoundDatabase {
  path: string
  database?: Database | undefined
}

/**
 * The cached database of an archive, which is created if needed. An archive has one: if that lacks contents, they are added
 * to it.
 */
export async function cachedDatabase(
  archive: string,
  io: Io,
  reading: Reading,
): Promise<FoundDatabase> {
  const { contents = 'none' } = reading
  assertReadable(archive) // or the error would blame the cache folder
  openCacheFolder(io)
  const cached = await cachePath(archive, io)
  for (const file of filesWith(cached, contents)) {
    holdEntry(file, io)
    const database = openIntact(file)
    if (database) return { path: file, database }
    rmSync(file, { recursive: true })
  }
  const lesser = listCache(io).filter(
    ({ path, inUse }) => path.startsWith(cached.current) && !inUse,
  )
  const wanted = lesser.reduce((all, entry) => both(all, entry.contents), contents)
  const file = cached.fileWith(wanted)
  holdEntry(file, io)
  const [first] = lesser
  const fill = { ...reading, contents: wanted }
  if (!first || !(await extendCached(first.path, archive, file, io, fill))) {
    await fillCache(archive, file, io, fill)
  }
  holdEntry(file, io)
  for (const entry of listCache(io)) {
    if (entry.archive === cached.archive && entry.path !== file) removeEntry(entry)
  }
  trimCache(io)
  return { path: file }
}

/** Throws `archive-unreadable`. */
export function assertReadable(archive: string): void {
  try {
    accessSync(archive, constants.R_OK)
  } catch (error) {
    throw new ArchiveError('archive-unreadable', systemReason(error), { archive }, error)
  }
}

/** The path of the cached database of an archive, if there is one. */
export async function findCached(
  archive: string,
  io: Pick<Io, 'env' | 'signal' | 'foreign'>,
): Promise<string | undefined> {
  if (!isOwnFolder(cacheFolder(io.env))) return undefined
  return filesWith(await cachePath(archive, io), 'none').find(isPlainFile)
}

/** The key of an archive in `listCache`. */
export const cacheKey = (archive: string): string => digest(resolve(archive)).slice(0, 16)

/** Finds the cached databases that have the needed contents. */
function filesWith(cached: CachePath, contents: Contents): string[] {
  const others = contents === 'none' ? (['git', 'uploads'] as const) : []
  return (['all', ...others, contents] as const).map(cached.fileWith).filter(isThere)
}

/** Opens a cached database. A damaged one is replaced, not reported, and so is a link. */
export function openIntact(file: string): Database | undefined {
  if (!isPlainFile(file)) return undefined
  try {
    return openDatabase(file)
  } catch (error) {
    if (
      error instanceof ArchiveError &&
      /-(foreign|damaged|older|newer|not-found)$/.test(error.code)
    )
      return undefined
    throw error
  }
}

type Contents = keyof typeof CONTENTS

/** The least contents with those of both. */
function both(left: Contents, right: string): Contents {
  if (right === 'none' || right === left) return left
  return left === 'none' && right in CONTENTS ? (right as Contents) : 'all'
}

/**
 * Adds the missing contents to a cached database that nobody uses, and gives it another name. False if that is impossible:
 * then the archive is loaded anew.
 */
async function extendCached(
  from: string,
  archive: string,
  file: string,
  io: Io,
  reading: Reading,
): Promise<boolean> {
  const partial = partialOf(file)
  try {
    renameSync(from, partial)
    await loadInto(archive, partial, io, reading)
    publishFile(partial, file, { force: false })
    return true
  } catch (error) {
    if (error instanceof ArchiveError && error.code === 'interrupted') {
      renameSync(partial, from)
      throw error
    }
    return false
  } finally {
    for (const part of [partial, `${partial}-journal`]) rmSync(part, { force: true })
  }
}

interface CachePath {
  archive: string
  /** The common prefix of the paths of all databases of this version of the archive. */
  current: string
  fileWith(contents: Contents): string
}

async function cachePath(
  named: string,
  io: Pick<Io, 'env' | 'signal' | 'foreign'>,
): Promise<CachePath> {
  const archive = cacheKey(named)
  const state = (await stateOf(named, io)).slice(0, 16)
  const current = join(cacheFolder(io.env), `${archive}-${state}-v${SCHEMA_VERSION}`)
  return {
    archive,
    current,
    fileWith: (contents) => `${current}${contents === 'none' ? '' : `-${contents}`}.db`,
  }
}

export const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * A digest of sizes and times, which change when the archive does, and of what a source of another form is taken for. Another
 * version of this program may read the same bytes otherwise.
 */
export async function stateOf(
  path: string,
  { signal, foreign }: Pick<Io, 'signal' | 'foreign'>,
): Promise<string> {
  const own = statSync(path).isDirectory()
    ? await stateOfFolder(path, signal, foreign?.form !== undefined)
    : stateOfFile(path) + stateOfFile(`${path}-wal`)
  if (!foreign) return digest(`${VERSION} ${own}`)
  const { repoGit } = foreign
  const clone = repoGit === undefined ? '' : await stateOfFolder(repoGit, signal, true)
  return digest(`${VERSION} ${own} ${JSON.stringify(foreign)} ${clone}`)
}

/** The size and time of a file; an empty text for none, and for the empty log of changes of a database that is open. */
function stateOfFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.size ? `${stats.size} ${stats.mtimeMs} ` : ''
}

async function stateOfFolder(
  path: string,
  signal: AbortSignal | undefined,
  isKnown: boolean,
): Promise<string> {
  // Loaded on demand: most sources are files.
  const { findSource } = await import('../../sources/open-source.ts')
  if (!isKnown && !(await findSource(path, signal))) await requireFolder(path, signal)
  const hash = createHash('sha256')
  let seen = 0
  for (const [name, stats] of filesBelow(path)) {
    hash.update(`${name} ${stats.size} ${stats.mtimeMs}\n`)
    if (++seen % LOOKED_AT === 0) await turn()
    throwIfInterrupted(signal)
  }
  return hash.digest('hex')
}

/** Files that are looked at before signals are. */
const LOOKED_AT = 500

/** The files below a folder, in an order that only their names decide. What cannot be read is left to the reader. */
function* filesBelow(root: string): Generator<[name: string, stats: Stats]> {
  const folders = ['']
  for (const above of folders) {
    for (const name of namesIn(join(root, above)).sort()) {
      const path = join(above, name)
      const stats = lstatSync(join(root, path), { throwIfNoEntry: false })
      if (stats?.isDirectory()) folders.push(path)
      else if (stats?.isFile()) yield [path, stats]
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const fillCache = (archive: string, file: string, io: Io, reading: Reading) =>
  unlessFilled(() => loadInto(archive, file, io, reading))

/** Fills the cache, unless another command has just done so. */
export async function unlessFilled(fill: () => Promise<unknown>): Promise<void> {
  try {
    await fill()
  } catch (error) {
    if (!(error instanceof ArchiveError && error.code === 'output-exists')) throw error
  }
}

/** Loads archives into a new database with the needed contents, and shows progress. */
export async function loadInto(
  archive: ArchiveSource | readonly ArchiveSource[],
  database: string,
  io: Io,
  reading: Reading & { newestWins?: boolean },
): Promise<LoadSummary> {
  const { loadArchive } = await import('../../load/load-archive.ts')
  const shown = readingProgress('reading', reading, io)
  try {
    return await loadArchive(archive, database, {
      newestWins: reading.newestWins,
      source: io.foreign,
      files: CONTENTS[reading.contents ?? 'none'],
      progress: shown.progress,
      ...(io.signal && { signal: io.signal }),
    })
  } finally {
    shown.finish()
  }
}
