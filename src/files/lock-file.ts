import { randomBytes } from 'node:crypto'
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ArchiveError, orInterrupted } from '../base/errors.ts'
import { attemptSync } from './attempt.ts'
import { hasEnded, isOfThisMachine, ownProcess, partialOf, removeStale } from './partial-file.ts'

/** Milliseconds after which a lock of another machine is broken if its holder has not renewed it. */
const STALE = 10 * 60_000
/** How often the holder touches its lock. */
const TOUCH = 60_000
const POLL = 200

/** Who has a lock. */
export interface Holder {
  /** As `ownProcess` names it. */
  owner: string
  /** The name of its machine, for people. */
  host: string
  /** Process numbers repeat. */
  token: string
}

/** This process as a holder of another lock each time. */
export const newHolder = (): Holder => ({
  owner: ownProcess(),
  host: hostname(),
  token: randomBytes(8).toString('hex'),
})

/** A holder for people. */
export const describeHolder = (holder: Holder | undefined): string =>
  holder ? `process ${holder.owner.split('-')[1]} on ${holder.host}` : 'another process'

export interface LockOptions {
  /** The error if another process has the lock and it is not to be waited for; `holder` says which. */
  busy(holder: string): ArchiveError
  /** Wait while another process has the lock. */
  wait: boolean
  signal?: AbortSignal | undefined
}

/**
 * Takes a lock: a file that one process at a time can create. A lock of a process of this machine that is gone is broken at
 * once, one of another machine after ten minutes without a touch.
 *
 * @param path the file, in a folder that exists
 * @returns what releases the lock
 * @throws what `busy` makes, `interrupted`, `output-full` or `output-refused`
 */
export async function lockFile(
  path: string,
  { busy, wait, signal }: LockOptions,
): Promise<() => void> {
  const own = newHolder()
  removeStale(path)
  while (!tryLock(path, own)) {
    const holder = readHolder(path)
    if (isStale(path, holder)) {
      breakLock(path, holder)
      continue
    }
    if (!wait) throw busy(describeHolder(holder))
    await sleep(POLL, undefined, { signal }).catch((error: unknown) => {
      throw orInterrupted(error, signal)
    })
  }
  const timer = setInterval(() => touch(path), TOUCH)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (readHolder(path)?.token === own.token) rmSync(path, { force: true })
  }
}

/** A link to a whole file: a process that is killed leaves no lock without a holder. */
function tryLock(path: string, holder: Holder): boolean {
  const text = JSON.stringify(holder)
  const partial = partialOf(path)
  return attemptSync(path, () => {
    try {
      writeFileSync(partial, text, { flag: 'wx' })
      linkSync(partial, path)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return false
      // A file system without links.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code ?? '')) throw error
      return tryCreate(path, text)
    } finally {
      rmSync(partial, { force: true })
    }
  })
}

function tryCreate(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const { owner, host, token } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>
    return { owner: String(owner), host: String(host), token: String(token) }
  } catch {
    return undefined // it is gone, or somebody else's
  }
}

/** Whether a process took a lock and ended without releasing it. */
export const isStaleLock = (path: string): boolean => isStale(path, readHolder(path))

function isStale(path: string, holder: Holder | undefined): boolean {
  if (holder && isOfThisMachine(holder.owner)) return hasEnded(holder.owner)
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE
}

/** Removes a stale lock, but never a lock that another process has taken since. */
function breakLock(path: string, holder: Holder | undefined): void {
  const aside = partialOf(path)
  try {
    renameSync(path, aside)
    if (readHolder(aside)?.token !== holder?.token) linkSync(aside, path)
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true })
}

function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // The folder is gone, and so is what was to be kept.
  }
}
