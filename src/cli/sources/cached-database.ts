import { createHash } from 'node:crypto'
import { accessSync, constants, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { roleOf } from '../../archive/entry-role.ts'
import type { ArchiveSource } from '../../archive/open-archive.ts'
import { openDatabase } from '../../database/open-database.ts'
import { SCHEMA_VERSION } from '../../database/schema/schema-version.ts'
import { ArchiveError } from '../../errors.ts'
import type { Io } from '../command/io.ts'
import { readingProgress } from '../options/reading-options.ts'
import { cacheFolder, isOwnFolder } from '../process/own-folder.ts'
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

/** The path of the cached database of an archive, which is created if needed. */
export async function cachedDatabase(archive: string, io: Io, reading: Reading): Promise<string> {
  const { contents = 'none' } = reading
  assertReadable(archive) // or the error would blame the cache folder
  openCacheFolder(io)
  const cached = cachePath(archive, io)
  for (const file of filesWith(cached, contents)) {
    holdEntry(file, io)
    if (isIntact(file)) return file
    rmSync(file, { recursive: true })
  }
  const file = cached.fileWith(contents)
  holdEntry(file, io)
  await fillCache(archive, file, io, reading)
  for (const entry of listCache(io)) {
    const isEarlier = entry.archive === cached.archive && !entry.path.startsWith(cached.current)
    if (isEarlier) removeEntry(entry)
  }
  trimCache(io)
  return file
}

function assertReadable(archive: string): void {
  try {
    accessSync(archive, constants.R_OK)
  } catch (error) {
    throw new ArchiveError('archive-unreadable', (error as Error).message, { archive }, error)
  }
}

/** The path of the cached database of an archive, if there is one. */
export function findCached(archive: string, io: Pick<Io, 'env'>): string | undefined {
  return isOwnFolder(cacheFolder(io.env)) ? filesWith(cachePath(archive, io), 'none')[0] : undefined
}

/** The key of an archive in `listCache`. */
export const cacheKey = (archive: string): string => digest(resolve(archive)).slice(0, 16)

/** The existing databases that have the needed contents; one with more contents may have an index of commits. */
function filesWith(cached: CachePath, contents: Contents): string[] {
  const others = contents === 'none' ? (['git', 'uploads'] as const) : []
  return (['all', ...others, contents] as const)
    .map(cached.fileWith)
    .filter((file) => lstatSync(file, { throwIfNoEntry: false }))
}

/** Whether a cached database can be opened. A damaged one is replaced, not reported. */
function isIntact(file: string): boolean {
  try {
    openDatabase(file).close()
    return true
  } catch (error) {
    if (
      error instanceof ArchiveError &&
      /-(foreign|damaged|older|newer|not-found)$/.test(error.code)
    )
      return false
    throw error
  }
}

type Contents = keyof typeof CONTENTS

interface CachePath {
  archive: string
  /** The common prefix of the paths of all databases of this version of the archive. */
  current: string
  fileWith(contents: Contents): string
}

function cachePath(named: string, io: Pick<Io, 'env'>): CachePath {
  const archive = cacheKey(named)
  const state = digest(stateOf(named)).slice(0, 16)
  const current = join(cacheFolder(io.env), `${archive}-${state}-v${SCHEMA_VERSION}`)
  return {
    ...{ archive, current },
    fileWith: (contents) => `${current}${contents === 'none' ? '' : `-${contents}`}.db`,
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Sizes and times, which change when the archive does. */
function stateOf(path: string): string {
  const { size, mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return `${size} ${mtimeMs}`
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  return names
    .map((name) => {
      const stats = statSync(join(path, name), { throwIfNoEntry: false })
      return `${name} ${stats?.size} ${stats?.mtimeMs}`
    })
    .join('\n')
}

async function fillCache(archive: string, file: string, io: Io, reading: Reading): Promise<void> {
  try {
    await loadInto(archive, file, io, reading)
  } catch (error) {
    // Another command may have filled the cache at the same time.
    if (!(error instanceof ArchiveError && error.code === 'output-exists')) throw error
  }
}

/** Loads an archive into a new database with the needed contents, and shows progress. */
export async function loadInto(
  archive: ArchiveSource,
  database: string,
  io: Io,
  reading: Reading,
): Promise<void> {
  const { loadArchive } = await import('../../load-archive/load-archive.ts')
  const shown = readingProgress('reading', reading, io)
  try {
    await loadArchive(archive, database, {
      files: CONTENTS[reading.contents ?? 'none'],
      progress: shown.progress,
      ...(io.signal && { signal: io.signal }),
    })
  } finally {
    shown.finish()
  }
}
