import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveError } from '../../../base/errors.ts'
import { describeHolder, type Holder, newHolder } from '../../../files/lock-file.ts'
import { hasEnded, isOfThisMachine } from '../../../files/partial-file.ts'
import type { LockOptions } from '../../exporter.ts'
import type { Connection } from './connection.ts'
import { quote, text } from './schema.ts'

/** Seconds after which an untouched lock of another machine is stale. */
const STALE = 600
/** Milliseconds between two touches. */
const TOUCH = 60_000
const POLL = 500

interface TableHolder extends Holder {
  /** When it was last touched, in seconds by the clock of the server. */
  touched: number
}

/**
 * Takes a lock. ClickHouse has no locks, but if two processes create the same table, one of them fails. So a table is
 * the lock, and its comment names the holder.
 *
 * @returns a function that releases the lock
 * @throws `partition-busy`, `interrupted`, `target-failed`
 */
export async function takeLock(
  connection: Connection,
  name: string,
  { wait = true, signal }: LockOptions,
): Promise<() => Promise<void>> {
  const table = quote(name)
  const own = newHolder()
  const comment = async () => text(JSON.stringify({ ...own, touched: await now(connection) }))
  const create = async (): Promise<boolean> => {
    const statement = `CREATE TABLE ${table} (one UInt8) ENGINE = Memory COMMENT ${await comment()}`
    try {
      await connection.run(statement)
      return true
    } catch (error) {
      if (/TABLE_ALREADY_EXISTS|already exists/.test(String(error))) return false
      throw error
    }
  }
  while (!(await create())) {
    const holder = await holderOf(connection, name)
    if (holder && (await isStale(connection, holder))) {
      await breakLock(connection, name, holder)
      continue
    }
    if (!wait) {
      const message = `${describeHolder(holder)} writes this partition`
      throw new ArchiveError('partition-busy', message, { archive: connection.shown })
    }
    await sleep(POLL, undefined, { signal })
  }
  const touch = async () => {
    await connection.run(`ALTER TABLE ${table} MODIFY COMMENT ${await comment()}`)
  }
  const timer = setInterval(() => touch().catch(() => {}), TOUCH)
  timer.unref()
  return async () => {
    clearInterval(timer)
    const holder = await holderOf(connection, name).catch(() => undefined)
    if (holder?.token === own.token) await connection.run(`DROP TABLE ${table}`).catch(() => {})
  }
}

async function now(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ now: number }>('SELECT toUnixTimestamp(now()) AS now')
  return row?.now ?? 0
}

async function holderOf(connection: Connection, name: string): Promise<TableHolder | undefined> {
  const [row] = await connection.query<{ comment: string }>(
    `SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = ${text(name)}`,
  )
  return row && JSON.parse(row.comment)
}

async function isStale(connection: Connection, { owner, touched }: TableHolder): Promise<boolean> {
  if (isOfThisMachine(owner)) return hasEnded(owner)
  return (await now(connection)) - touched > STALE
}

/** Removes a stale lock, but never a lock that another process has taken since. */
async function breakLock(connection: Connection, name: string, stale: TableHolder): Promise<void> {
  const aside = `${name}_${randomBytes(4).toString('hex')}`
  try {
    await connection.run(`RENAME TABLE ${quote(name)} TO ${quote(aside)}`)
    if ((await holderOf(connection, aside))?.token !== stale.token) {
      await connection.run(`RENAME TABLE ${quote(aside)} TO ${quote(name)}`)
    }
  } catch {
    // Another process was faster.
  }
  await connection.run(`DROP TABLE IF EXISTS ${quote(aside)}`)
}
