import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as self from 'node:process'
import { ArchiveError } from '../base/errors.ts'
import { attemptSync } from './attempt.ts'
import { makeFolder, PRIVATE } from './make-folder.ts'

/**
 * Checks a folder in which this program keeps things: whoever else owns it, or can write to it, could plant a token or a
 * link. The folder may be a link of this user, to a larger disk, unless `isInner`.
 *
 * @throws `folder-linked`; `folder-foreign` if it is not a folder, or another user owns it, its link, or can write to it
 */
export function checkOwnFolder(path: string, { isInner = false } = {}): void {
  const refuse = (message: string, cause?: unknown): never => {
    throw new ArchiveError('folder-foreign', message, { archive: path }, cause)
  }
  try {
    const named = lstatSync(path)
    const stats = statSync(path)
    if (isInner && named.isSymbolicLink()) throw linked(path)
    if (!stats.isDirectory()) refuse('this is not a folder')
    if (!isOwned(stats)) refuse('the folder belongs to another user')
    if (!isPrivate(stats)) refuse('other users may write to the folder')
    if (!isOwned(named)) refuse('the link to the folder belongs to another user')
  } catch (error) {
    if (!(error instanceof ArchiveError)) refuse((error as Error).message, error)
    throw error
  }
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

/** Makes a folder for this user alone, unless it is there, and checks it. Throws as `checkOwnFolder`, and `output-refused`. */
export function makeOwnFolder(path: string, options?: { isInner?: boolean }): void {
  attemptSync(path, () => makeFolder(path, PRIVATE))
  checkOwnFolder(path, options)
}

/**
 * Checks that nobody else can put another folder in the place of this one, between one look at it and the next. Root takes
 * folders of others as they are.
 *
 * @param path the folder, which may be missing
 * @throws `folder-foreign` about the folder above in which they can
 */
export function checkPlace(path: string): void {
  let above = dirname(resolve(path))
  while (!statSync(above, { throwIfNoEntry: false })) above = dirname(above)
  for (const folder of withParents(realpathSync(above))) {
    const stats = lstatSync(folder)
    if (isStable(user === 0 ? { ...stats, uid: 0 } : stats)) continue
    const message = 'other users may rename what is in this folder'
    throw new ArchiveError('folder-foreign', message, { archive: folder })
  }
}

/**
 * Checks a folder of this user, and everything directly in it: files and folders of this user, which nobody else can write
 * to, and no links.
 *
 * @throws `folder-foreign`, `folder-linked`
 */
export function checkOwnContents(folder: string): void {
  checkOwnFolder(folder, { isInner: true })
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) continue // another process has just removed it
    if (stats.isDirectory()) checkOwnFolder(path, { isInner: true })
    else if (!stats.isFile() || !isOwned(stats) || mayOthersWrite(stats)) {
      if (stats.isSymbolicLink()) throw linked(path)
      const message = 'this is not a file of this user alone'
      throw new ArchiveError('folder-foreign', message, { archive: path })
    }
  }
}

const linked = (path: string) =>
  new ArchiveError('folder-linked', 'this is a link; links are not followed here', {
    archive: path,
  })

/** The real path of a folder of this user in which, and in the folders above, nobody else can rename anything. */
export function stablePath(path: string): string | undefined {
  if (!isOwned(lstatSync(path))) return undefined
  const real = realpathSync(path)
  const isSafe =
    isPrivate(lstatSync(real)) &&
    withParents(dirname(real)).every((folder) => isStable(lstatSync(folder)))
  return isSafe ? real : undefined
}

// Windows has no such owners, and keeps the folders of a user private.
const user = self.getuid?.()

const isOwned = ({ uid }: Stats): boolean => user === undefined || uid === user

const mayOthersWrite = ({ mode }: Stats): boolean => user !== undefined && !!(mode & 0o022)

const isPrivate = (stats: Stats): boolean =>
  stats.isDirectory() && isOwned(stats) && !mayOthersWrite(stats)

/**
 * Whether only this user or root can rename entries of a folder; in a sticky folder users can rename only their own. Many
 * systems give each user a group of his own, which may write where he may.
 */
const isStable = ({ uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean => {
  if (user === undefined) return true
  const isShared = !!(mode & 0o002) || (!!(mode & 0o020) && gid !== self.getgid?.())
  return (uid === user || uid === 0) && (!isShared || !!(mode & 0o1000))
}

function withParents(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [path, ...withParents(above)]
}
