import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Database, openDatabase } from '../database/open-database.ts'
import { SCHEMA_VERSION } from '../database/schema.ts'
import { ArchiveError } from '../errors.ts'
import type { Io } from './io.ts'
import { isDatabase } from './is-database.ts'
import { readingProgress } from './reading-options.ts'
import { UsageError } from './usage-error.ts'

/**
 * Opens a database, or an archive by way of a database in the user's cache folder, made without the contents
 * of files (but for the indexes of packs) and kept until the archive changes.
 */
export async function openReadable(
  named: string,
  io: Io,
  reading: { quiet?: boolean | undefined } = {},
): Promise<Database> {
  if (named === '-') {
    throw new UsageError(
      'an archive on standard input cannot be queried, only loaded',
      'Load it first with: marc load - -o name.db',
    )
  }
  const path = (await isArchive(named)) ? await cachedDatabase(named, io, reading) : named
  const database = openDatabase(path)
  io.mayEndAtOnce?.()
  return database
}

// What does not exist was probably meant to be a database.
const isArchive = async (named: string) => existsSync(named) && !(await isDatabase(named))

async function cachedDatabase(
  archive: string,
  io: Io,
  reading: { quiet?: boolean | undefined },
): Promise<string> {
  const cached = cachePath(resolve(archive), io)
  if (existsSync(cached.file) && !isIntact(cached.file)) rmSync(cached.file)
  if (!existsSync(cached.file)) await fillCache(archive, cached, io, reading)
  return cached.file
}

/** Whether a file of the cache opens: nobody named it, so nobody could be told to mend it. */
function isIntact(file: string): boolean {
  try {
    openDatabase(file).close()
    return true
  } catch (error) {
    if (error instanceof ArchiveError && /-(foreign|damaged)$/.test(error.code)) return false
    throw error
  }
}

interface CachePath {
  folder: string
  /** What all databases made of this archive, as it is or was, begin with. */
  prefix: string
  file: string
}

function cachePath(archive: string, { env }: Io): CachePath {
  const folder = join(
    env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'),
    'migration-archive',
  )
  const prefix = digest(archive).slice(0, 16)
  const state = digest(stateOf(archive)).slice(0, 16)
  return { folder, prefix, file: join(folder, `${prefix}-${state}-v${SCHEMA_VERSION}.db`) }
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

// Small, and they tell which commits there are.
const isPackIndex = (path: string) => path.endsWith('.idx')

async function fillCache(
  archive: string,
  cached: CachePath,
  io: Io,
  reading: { quiet?: boolean | undefined },
): Promise<void> {
  const { loadArchive } = await import('../load-archive.ts')
  const shown = readingProgress('reading', reading, io)
  try {
    makeFolder(cached.folder)
    await loadArchive(archive, cached.file, {
      files: isPackIndex,
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
    // What is in an archive may be for nobody else's eyes.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const message = `the folder of the cache cannot be made: ${(error as Error).message}`
    throw new UsageError(message, 'Name another with XDG_CACHE_HOME, or use marc load.', {
      archive: folder,
    })
  }
}

const HOUR = 3_600_000

/** Removes what was made of the archive as it was, and what a killed process left behind. */
function removeEarlier({ folder, prefix, file }: CachePath): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!name.startsWith(prefix) || path === file) continue
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    // Another process may be writing it at this moment.
    if (name.includes('.partial') && Date.now() - changed < HOUR) continue
    rmSync(path, { force: true })
  }
}
