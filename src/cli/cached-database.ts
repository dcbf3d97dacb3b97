import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { roleOf } from '../archive/entry-role.ts'
import { openDatabase } from '../database/open-database.ts'
import { SCHEMA_VERSION } from '../database/schema-version.ts'
import { ArchiveError } from '../errors.ts'
import type { Io } from './io.ts'
import { cacheFolder, makeOwnFolder } from './own-folder.ts'
import { readingProgress } from './reading-options.ts'
import { UsageError } from './usage-error.ts'

// Small, and they tell which commits there are: every database of the cache has the indexes of packs.
const isPackIndex = (path: string) => path.endsWith('.idx')

/** Which files a command needs the contents of, when it reads an archive by way of the cache. */
const CONTENTS = {
  none: isPackIndex,
  git: (path: string) => roleOf(path).role === 'git',
  // A record may name a file that lies elsewhere than uploads do, but no Git data.
  uploads: (path: string) => isPackIndex(path) || !['git', 'lfs'].includes(roleOf(path).role),
  all: () => true,
} as const satisfies Record<string, (path: string) => boolean>

export interface Reading {
  quiet?: boolean | undefined
  /** Contents of files that are needed. Default none, but for the indexes of packs. */
  contents?: keyof typeof CONTENTS
  /** The command writes files: an interrupt lets it tidy up. */
  writes?: boolean
}

/** The path of a database in the user's cache folder that holds an archive as it is, made if it is not there. */
export async function cachedDatabase(archive: string, io: Io, reading: Reading): Promise<string> {
  const { contents = 'none' } = reading
  assertReadable(archive) // or the folder of the cache would be blamed
  const cached = cachePath(resolve(archive), io)
  for (const file of filesWith(cached, contents)) {
    if (isIntact(file)) return file
    rmSync(file)
  }
  await fillCache(archive, cached, io, { ...reading, contents })
  return cached.fileWith(contents)
}

function assertReadable(archive: string): void {
  try {
    accessSync(archive, constants.R_OK)
  } catch (error) {
    throw new ArchiveError('archive-unreadable', (error as Error).message, { archive }, error)
  }
}

/** The path of a database in the cache that holds an archive as it is, if there is one. */
export const findCached = (archive: string, io: Pick<Io, 'env'>): string | undefined =>
  filesWith(cachePath(resolve(archive), io), 'none')[0]

/** The databases with enough contents. More than are needed do no harm, and Git data may have been indexed. */
function filesWith(cached: CachePath, contents: keyof typeof CONTENTS): string[] {
  const enough =
    contents === 'none'
      ? (['all', 'git', 'uploads', 'none'] as const)
      : (['all', contents] as const)
  return enough.map(cached.fileWith).filter((file) => existsSync(file))
}

/** Whether a file of the cache opens: nobody named it, so nobody could be told to mend it. */
function isIntact(file: string): boolean {
  try {
    openDatabase(file).close()
    return true
  } catch (error) {
    if (error instanceof ArchiveError && /-(foreign|damaged|older|newer)$/.test(error.code))
      return false
    throw error
  }
}

interface CachePath {
  folder: string
  /** What all databases made of this archive, as it is or was, begin with. */
  prefix: string
  /** What those made of it as it is begin with. */
  current: string
  fileWith(contents: keyof typeof CONTENTS): string
}

function cachePath(archive: string, { env }: Pick<Io, 'env'>): CachePath {
  const folder = cacheFolder(env)
  const prefix = digest(archive).slice(0, 16)
  const state = digest(stateOf(archive)).slice(0, 16)
  const current = `${prefix}-${state}-v${SCHEMA_VERSION}`
  return {
    ...{ folder, prefix, current },
    fileWith: (contents) =>
      join(folder, `${current}${contents === 'none' ? '' : `-${contents}`}.db`),
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** What changes when a file, or a file in a folder, does. */
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

async function fillCache(
  archive: string,
  cached: CachePath,
  io: Io,
  reading: Reading & Required<Pick<Reading, 'contents'>>,
): Promise<void> {
  const { loadArchive } = await import('../load-archive.ts')
  const shown = readingProgress('reading', reading, io)
  try {
    makeFolder(cached.folder)
    await loadArchive(archive, cached.fileWith(reading.contents), {
      files: CONTENTS[reading.contents],
      progress: shown.progress,
      ...(io.signal && { signal: io.signal }),
    })
    removeEarlier(cached)
  } catch (error) {
    // Two commands may fill the cache at once; what the other one made is as good.
    if (!(error instanceof ArchiveError && error.code === 'output-exists')) throw error
  } finally {
    shown.finish()
  }
}

function makeFolder(folder: string): void {
  try {
    makeOwnFolder(folder)
  } catch (error) {
    const message = `the folder of the cache cannot be made: ${(error as Error).message}`
    throw new UsageError(message, 'Name another with XDG_CACHE_HOME, or use marc load.', {
      archive: folder,
    })
  }
}

const HOUR = 3_600_000

/** Removes what was made of the archive as it was, and what a killed process left behind. */
function removeEarlier({ folder, prefix, current }: CachePath): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!name.startsWith(prefix)) continue
    if (name.startsWith(current) && name.endsWith('.db')) continue
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    // Another process may be writing it at this moment.
    if (name.includes('.partial') && Date.now() - changed < HOUR) continue
    rmSync(path, { force: true })
  }
}
