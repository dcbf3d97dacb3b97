import { randomBytes } from 'node:crypto'
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import * as self from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveError } from '../../errors.ts'
import { isAlive } from '../../files/partial-file.ts'
import { attemptSync } from '../../files/write-file.ts'

/** A lock of another machine that nobody has touched for so long is broken, in milliseconds. */
const STALE = 10 * 60_000
/** How often the holder touches its lock. */
const TOUCH = 60_000
const POLL = 200

interface Holder {
  host: string
  pid: number
  /** Process numbers repeat: in containers that share a folder, for example. */
  token: string
}

/**
 * Takes the lock of a partition, and waits while another process has it. A lock of a process of this machine that is
 * gone is broken at once, one of another machine after ten minutes without a touch.
 *
 * @returns what releases the lock
 * @throws `partition-busy` if `wait` is false; `interrupted`
 */
export async function lockPartition(
  path: string,
  { wait = true, signal }: { wait?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<() => void> {
  const own: Holder = { host: hostname(), pid: self.pid, token: randomBytes(8).toString('hex') }
  while (!tryLock(path, own)) {
    const holder = readHolder(path)
    if (isStale(path, holder)) {
      breakLock(path, holder)
      continue
    }
    if (!wait) {
      const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
      throw new ArchiveError('partition-busy', `${who} writes this partition`, { archive: path })
    }
    await sleep(POLL, undefined, { signal }).catch((error: unknown) => {
      throw new ArchiveError('interrupted', 'interrupted', {}, error)
    })
  }
  const timer = setInterval(() => touch(path), TOUCH)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (readHolder(path)?.token === own.token) rmSync(path, { force: true })
  }
}

function tryLock(path: string, own: Holder): boolean {
  return attemptSync(path, () => {
    try {
      const file = openSync(path, 'wx')
      writeSync(file, JSON.stringify(own))
      closeSync(file)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  })
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    // It is gone, or its holder has not written it yet.
    return undefined
  }
}

function isStale(path: string, holder: Holder | undefined): boolean {
  if (holder?.host === hostname()) return !isAlive(holder.pid)
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE
}

/** Removes a stale lock, and never the lock that another process has taken in its place meanwhile. */
function breakLock(path: string, holder: Holder | undefined): void {
  const aside = `${path}.${randomBytes(4).toString('hex')}`
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
