import { randomBytes } from 'node:crypto'
import { hasEnded, ownProcess } from '../../files/partial-file.ts'
import type { MigrationOptions } from './migrations.ts'
import type { StateDatabase } from './state-database.ts'

/** A migration that a worker builds. */
export interface Job {
  id: number
  guid: string
  options: MigrationOptions
  repositories: readonly string[]
}

/** Migrations that wait to be built, as one worker sees them. A job has one worker at a time. */
export interface BuildQueue {
  /**
   * Takes the pending migration with the lowest id that has been pending for `pace`; else returns the milliseconds
   * until one has.
   */
  take(): Job | number | undefined
  /** Takes over a job whose worker is gone. */
  takeOver(): Job | undefined
  /** Sends a heartbeat; false if another worker has taken the job over. */
  beat(id: number): boolean
  /** Releases the job, so that any worker can take it now. */
  release(id: number): void
  /** The archive is in its place. False if another worker has taken the job over. */
  finish(id: number, archive: { size: number; sha256: string }): boolean
  fail(id: number, reason: string): boolean
  /** Whether an archive with this name belongs to a migration. Others are left over from workers that were killed. */
  isWanted(guid: string): boolean
}

/** Milliseconds after which a worker without a heartbeat counts as gone. */
export const SILENCE = 30_000

interface JobRow {
  id: number
  guid: string
  options: string
  repositories: string
}

interface WorkerRow extends JobRow {
  worker: string | null
  heartbeat: number
}

/**
 * The jobs of a state for one worker.
 *
 * @param clock the server's clock
 * @param pace milliseconds that a migration stays pending
 * @param machineTime milliseconds since 1970 on the clock of the machine
 */
export function openBuildQueue(
  { database, write }: StateDatabase,
  {
    clock,
    pace,
    machineTime = Date.now,
  }: { clock: () => Date; pace: number; machineTime?: (() => number) | undefined },
): BuildQueue {
  const worker = `${ownProcess()}-${randomBytes(4).toString('hex')}`
  const prepare = <Values extends unknown[], Result>(sql: string) =>
    database.prepare<Values, Result>(sql)
  const oldest = prepare<[], number | null>(
    "SELECT min(heartbeat) FROM migrations WHERE state = 'pending'",
  ).pluck()
  const due = prepare<[number], JobRow>(
    `SELECT id, guid, options, repositories FROM migrations
     WHERE state = 'pending' AND heartbeat <= ? ORDER BY id LIMIT 1`,
  )
  const begin = prepare<[string, number, number, number], unknown>(
    `UPDATE migrations SET state = 'exporting', worker = ?, heartbeat = ?, updated_at = max(created_at, ?)
     WHERE id = ? AND state = 'pending'`,
  )
  const exporting = prepare<[], WorkerRow>(
    `SELECT id, guid, options, repositories, worker, heartbeat FROM migrations
     WHERE state = 'exporting' ORDER BY id`,
  )
  const seize = prepare<[string, number, number, string | null, number], unknown>(
    `UPDATE migrations SET worker = ?, heartbeat = ?
     WHERE id = ? AND state = 'exporting' AND worker IS ? AND heartbeat = ?`,
  )
  const own = "id = ? AND state = 'exporting' AND worker = ?"
  const live = prepare<[number, number, string], unknown>(
    `UPDATE migrations SET heartbeat = ? WHERE ${own}`,
  )
  const abandon = prepare<[number, string], unknown>(
    `UPDATE migrations SET worker = NULL, heartbeat = 0 WHERE ${own}`,
  )
  const publish = prepare<[number, number, number, string, number, string], unknown>(
    `UPDATE migrations SET state = 'exported', updated_at = max(created_at, ?), exported_at = ?,
       archive_size = ?, archive_sha256 = ?, worker = NULL, heartbeat = 0
     WHERE ${own}`,
  )
  const giveUp = prepare<[number, string, number, string], unknown>(
    `UPDATE migrations SET state = 'failed', updated_at = max(created_at, ?), failure = ?, worker = NULL, heartbeat = 0
     WHERE ${own}`,
  )
  const wanted = prepare<[string], number>(
    `SELECT 1 FROM migrations
     WHERE guid = ? AND (state = 'exporting' OR state = 'exported' AND archive_gone_at IS NULL)`,
  )
  const now = () => clock().getTime()
  const isGone = ({ worker, heartbeat }: WorkerRow) =>
    worker === null || heartbeat <= machineTime() - SILENCE || hasEnded(worker)

  return {
    take() {
      // Looking first needs no lock, and most of the time there is no job.
      const since = oldest.get()
      if (since == null) return undefined
      const wait = since + pace - machineTime()
      if (wait > 0) return Math.min(wait, pace)
      return write(() => {
        const row = due.get(machineTime() - pace)
        if (!row) return undefined
        begin.run(worker, machineTime(), now(), row.id)
        return toJob(row)
      })
    },
    takeOver() {
      for (const row of exporting.all().filter(isGone)) {
        const { changes } = write(() =>
          seize.run(worker, machineTime(), row.id, row.worker, row.heartbeat),
        )
        if (changes > 0) return toJob(row)
      }
      return undefined
    },
    beat: (id) => write(() => live.run(machineTime(), id, worker).changes > 0),
    release: (id) => void write(() => abandon.run(id, worker)),
    finish(id, { size, sha256 }) {
      const time = now()
      return write(() => publish.run(time, time, size, sha256, id, worker).changes > 0)
    },
    fail: (id, reason) => write(() => giveUp.run(now(), reason, id, worker).changes > 0),
    isWanted: (guid) => wanted.get(guid) !== undefined,
  }
}

const toJob = ({ id, guid, options, repositories }: JobRow): Job => ({
  id,
  guid,
  options: JSON.parse(options) as MigrationOptions,
  repositories: JSON.parse(repositories) as string[],
})
