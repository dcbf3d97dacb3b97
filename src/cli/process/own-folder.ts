import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder, PRIVATE } from '../../files/make-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The cache folder, for databases and compiled code that can be made again. */
export const cacheFolder = (env: Environment): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'migration-archive')

/** Throws an `Error` with the reason if a path is not a folder, or another user owns it or can write to it. */
export function checkOwnFolder(path: string): void {
  const stats = statSync(path)
  if (!stats.isDirectory()) throw new Error('this is not a folder')
  if (!isOwned(stats)) throw new Error('the folder belongs to another user')
  if (!isPrivate(stats)) throw new Error('other users may write to the folder')
  if (!isOwned(lstatSync(path))) throw new Error('the link to the folder belongs to another user')
}

/** Whether a folder exists, and no other user owns it or can write to it. */
export function isOwnFolder(path: string): boolean {
  try {
    checkOwnFolder(path)
    return true
  } catch {
    return false
  }
}

/**
 * Makes `<cache>/<name>` and returns its path if nobody else can write to it or replace it: it and the cache belong to this
 * user, and no folder above them lets others rename them. Returns undefined otherwise.
 */
export function makePrivateFolder(name: string, env: Environment): string | undefined {
  try {
    const named = cacheFolder(env)
    makeFolder(named, PRIVATE)
    // People link their cache to a larger disk. A link of another user could change its target later.
    if (!isOwned(lstatSync(named))) return undefined
    const cache = realpathSync(named)
    const folder = join(cache, name)
    makeFolder(folder, PRIVATE)
    const isSafe =
      [cache, folder].every((path) => isPrivate(lstatSync(path))) &&
      withParents(dirname(cache)).every((path) => isStable(lstatSync(path)))
    return isSafe ? folder : undefined
  } catch {
    return undefined
  }
}

// Windows has no such owners, and keeps the folders of a user private.
const user = process.getuid?.()

const isOwned = ({ uid }: Stats): boolean => user === undefined || uid === user

const isPrivate = (stats: Stats): boolean =>
  stats.isDirectory() && isOwned(stats) && (user === undefined || !(stats.mode & 0o022))

/** Whether only this user or root can rename entries of a folder; in a sticky folder users can rename only their own. */
const isStable = ({ uid, mode }: Stats): boolean =>
  user === undefined || ((uid === user || uid === 0) && (!(mode & 0o002) || !!(mode & 0o1000)))

function withParents(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [path, ...withParents(above)]
}
