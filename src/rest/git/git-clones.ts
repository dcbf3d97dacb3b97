import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { makeOwnFolder } from '../../files/own-folder.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { stampOfGit } from '../../reading/git/git-files.ts'

/** Bare clones of repositories, made when they are first asked for. */
export interface GitClones {
  /**
   * The folder of a bare clone.
   *
   * @param database the database that has the repository
   * @param name its name in the archive
   * @throws as `cloneRepository` does, and `folder-foreign`
   */
  folderOf(database: Database, name: string): Promise<string>
  close(): Promise<void>
}

/** Milliseconds after which an unused clone is removed. */
const KEPT = 30 * 86_400_000

/**
 * Keeps clones below a folder, one for each content: the same repository in two databases is one clone, and a changed one gets
 * another. Without a folder they are in a temporary one.
 */
export function openGitClones(named: string | undefined): GitClones {
  let temporary: { path: string; remove(): void } | undefined
  const stopping = new AbortController()
  const making = new Map<string, Promise<string>>()
  const folder = () => {
    if (named === undefined) temporary ??= makeTemporaryFolder()
    const above = resolve(named ?? temporary?.path ?? '')
    makeOwnFolder(above)
    const path = join(above, 'git')
    makeOwnFolder(path, { isInner: true })
    return path
  }

  const make = async (path: string, source: string, name: string): Promise<string> => {
    // Another server on the same state may make the same clone: the first one counts.
    const partial = `${path}.${randomBytes(4).toString('hex')}.new`
    // Most servers start and end without a clone.
    const { cloneRepository } = await import('../../git/clone/clone-repository.ts')
    // The server may close its connection when the database changes.
    const database = openDatabase(source)
    try {
      await cloneRepository(database, name, partial, { signal: stopping.signal })
      if (!existsSync(path)) renameSync(partial, path)
      return path
    } finally {
      database.close()
      rmSync(partial, { recursive: true, force: true })
    }
  }

  return {
    async folderOf(database, name) {
      const root = folder()
      const path = join(root, `${stampOfGit(database, name)}.git`)
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
        touch(path)
        return path
      }
      const known = making.get(path)
      if (known) return known
      removeUnused(root)
      const made = make(path, database.name, name).finally(() => making.delete(path))
      making.set(path, made)
      return made
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(making.values())
      temporary?.remove()
    },
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The folder may belong to another user; leave it.
  }
}

/** Removes clones that were not used for a long time, and partial ones of killed servers. */
function removeUnused(root: string): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name)
    const isOld = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT
    if (isOld) rmSync(path, { recursive: true, force: true })
  }
}
