import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Database, openDatabase } from '../database/open-database.ts'
import { SCHEMA_VERSION } from '../database/schema.ts'
import { ArchiveError } from '../errors.ts'
import type { Io } from './io.ts'
import { readingProgress } from './reading-options.ts'

/**
 * Opens a database, or an archive by way of a database in the user's cache folder, made without the contents
 * of files and kept until the archive changes.
 */
export async function openReadable(named: string, io: Io): Promise<Database> {
  if (await isDatabase(named)) return openDatabase(named)
  const cached = cachePath(resolve(named), io)
  if (!existsSync(cached.file)) await fillCache(named, cached, io)
  return openDatabase(cached.file)
}

/** Whether a path is a SQLite file. Throws `database-not-found` where there is nothing. */
export async function isDatabase(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: unknown) => {
    const place = { archive: path }
    throw new ArchiveError('database-not-found', 'there is no such file', place, error)
  })
  if (!stats.isFile()) return false
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    return bytesRead === 0 || buffer.toString('latin1') === 'SQLite format 3\0'
  } finally {
    await file.close()
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

async function fillCache(
  archive: string,
  { folder, prefix, file }: CachePath,
  io: Io,
): Promise<void> {
  const { loadArchive } = await import('../load-archive.ts')
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix)) rmSync(join(folder, name), { force: true })
  }
  const shown = readingProgress('reading', {}, io)
  try {
    const { signal } = io
    await loadArchive(archive, file, {
      files: false,
      progress: shown.progress,
      ...(signal && { signal }),
    })
  } catch (error) {
    // Two commands may fill the cache at once; what the other one made is as good.
    if (!(error instanceof ArchiveError && error.code === 'output-exists')) throw error
  } finally {
    shown.finish()
  }
}
