import { homedir } from 'node:os'
import { join } from 'node:path'
import { makeFolder, PRIVATE } from './make-folder.ts'
import { makeOwnFolder, stablePath } from './own-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The cache folder, for databases and compiled code that can be made again. */
export const cacheFolder = (env: Environment): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'migration-archive')

/**
 * Makes `<cache>/<name>` and returns its path if nobody else can write to it or replace it: it and the cache belong to this
 * user, and no folder above them lets others rename them. Returns undefined otherwise.
 */
export function makePrivateFolder(name: string, env: Environment): string | undefined {
  try {
    const named = cacheFolder(env)
    makeFolder(named, PRIVATE)
    // People link their cache to a larger disk. A link of another user could change its target later.
    const cache = stablePath(named)
    if (cache === undefined) return undefined
    const folder = join(cache, name)
    makeOwnFolder(folder, { isInner: true })
    return folder
  } catch {
    return undefined
  }
}
