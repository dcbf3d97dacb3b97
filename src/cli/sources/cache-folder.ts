import { lstatSync, lutimesSync, readdirSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOwnFolder, makeOwnFolder } from '../../files/own-folder.ts'
import { partialOf, removeStale } from '../../files/partial-file.ts'
import { cacheFolder } from '../../files/private-folder.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { parseSize } from '../options/parse-size.ts'

/** A database in the cache folder. */
export interface CacheEntry {
  path: string
  /** Identifies the archive: a digest of its path. */
  archive: string
  contents: string
  bytes: number
  usedAt: Date
  inUse: boolean
}

const DEFAULT_SIZE = 2 * 2 ** 30
const DAY = 86_400_000

const ENTRY = /^([0-9a-f]{16})-[0-9a-f]{16}-v\d+(?:-([a-z]+))?\.db$/

/** Creates the cache folder if needed. Throws `UsageError` if it cannot be created or trusted. */
export function openCacheFolder(io: Pick<Io, 'env'>): string {
  const folder = cacheFolder(io.env)
  try {
    makeOwnFolder(folder)
  } catch (error) {
    throw new UsageError(
      `the cache folder cannot be used: ${(error as Error).message}`,
      'Name another one with XDG_CACHE_HOME, or use marc load.',
      { archive: folder },
    )
  }
  return folder
}

/** The folder of the bare clones that `git clone marc::…` reads from. */
export const cloneFolder = (io: Pick<Io, 'env'>): string => join(cacheFolder(io.env), 'clones')

/** The databases in the cache, the most recently used first; none if the folder is missing or not trusted. */
export function listCache(io: Pick<Io, 'env'>): CacheEntry[] {
  const folder = cacheFolder(io.env)
  if (!isOwnFolder(folder)) return []
  removeStale(folder, { anyName: true })
  const names = readdirSync(folder)
  return names
    .flatMap((name) => {
      const [, archive, contents = 'none'] = ENTRY.exec(name) ?? []
      const stats = archive === undefined ? undefined : find(join(folder, name))
      if (archive === undefined || !stats?.isFile()) return []
      const inUse = names.some((other) => other.startsWith(`${name}${IN_USE}.`))
      const path = join(folder, name)
      return [{ path, archive, contents, bytes: stats.size, usedAt: lastUse(path, stats), inUse }]
    })
    .sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime())
}

const IN_USE = '.in-use'
/** A file whose time says when a database was last used: the time of the database itself says when it was changed. */
const USED = '.used'
/** A file that lists the sources of a database of several. */
export const SOURCES = '.sources'

const lastUse = (path: string, stats: Stats): Date => find(path + USED)?.mtime ?? stats.mtime

/** Marks a cached database as used now, and as in use until the command ends. */
export function holdEntry(path: string, { atEnd }: Pick<Io, 'atEnd'>): void {
  const held = `${path}${IN_USE}`
  // A process that was killed left its mark.
  removeStale(held)
  const marker = partialOf(held)
  writeFileSync(marker, '', { flag: 'wx', mode: 0o600 })
  atEnd?.(() => rmSync(marker, { force: true }))
  const used = path + USED
  if (!find(path)?.isFile()) return
  if (!find(used)) writeFileSync(used, '', { flag: 'wx', mode: 0o600 })
  lutimesSync(used, new Date(), new Date())
}

/** Maximum bytes of the cache (`MARC_CACHE_SIZE`). Throws `UsageError`. */
export const maxCacheSize = ({ env }: Pick<Io, 'env'>): number =>
  env.MARC_CACHE_SIZE ? parseSize('MARC_CACHE_SIZE', env.MARC_CACHE_SIZE) : DEFAULT_SIZE

/**
 * Removes the least recently used databases until the rest has at most `maxSize` bytes, but none that is in use.
 * Returns the removed ones.
 */
export function trimCache(io: Pick<Io, 'env'>, maxSize = maxCacheSize(io)): CacheEntry[] {
  const entries = listCache(io)
  removeForeignPartials(cacheFolder(io.env))
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  const removed: CacheEntry[] = []
  for (const entry of entries.reverse()) {
    if (total <= maxSize) break
    if (!removeEntry(entry)) continue
    total -= entry.bytes
    removed.push(entry)
  }
  return removed
}

/** Removes a database from the cache, unless it is in use or was used since it was listed. */
export function removeEntry({ path, usedAt, inUse }: CacheEntry): boolean {
  const stats = find(path)
  if (inUse || !stats || lastUse(path, stats).getTime() !== usedAt.getTime()) return false
  for (const part of [path, `${path}-journal`, path + USED, path + SOURCES])
    rmSync(part, { force: true })
  return true
}

/** Removes partial files of other machines and containers, whose processes cannot be seen from here. */
function removeForeignPartials(folder: string): void {
  if (!isOwnFolder(folder)) return
  for (const name of readdirSync(folder)) {
    if (!/^[0-9a-f]{16}-.*\.partial(-journal)?$/.test(name)) continue
    const path = join(folder, name)
    const changed = find(path)?.mtimeMs ?? Date.now()
    if (Date.now() - changed > DAY) rmSync(path, { force: true })
  }
}

const find = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
