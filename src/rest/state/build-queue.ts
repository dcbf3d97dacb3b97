import { type JobQueue, type JobTable, openJobQueue, type QueueOptions } from './job-queue.ts'
import type { MigrationOptions } from './migrations.ts'
import type { StateDatabase } from './state-database.ts'

/** A migration that a worker builds. */
export interface Job {
  id: number
  guid: string
  options: MigrationOptions
  repositories: readonly string[]
}

/** Migrations that wait to be built, as one worker sees them. */
export interface BuildQueue extends Pick<JobQueue<Job>, 'take' | 'takeOver' | 'beat' | 'release'> {
  /** The archive is in its place. False if another worker has taken the job over. */
  finish(id: number, archive: { size: number; sha256: string }): boolean
  fail(id: number, reason: string): boolean
  /** Whether an archive with this name belongs to a migration. Others are left over from workers that were killed. */
  isWanted(guid: string): boolean
}

const TABLE: JobTable = {
  name: 'migrations',
  waiting: 'pending',
  running: ['exporting'],
  columns: 'id, guid, options, repositories',
}

interface JobRow {
  id: number
  guid: string
  options: string
  repositories: string
}

/** The migrations of a state for one worker. */
export function openBuildQueue(state: StateDatabase, options: QueueOptions): BuildQueue {
  const queue = openJobQueue<JobRow>(state, TABLE, options)
  const wanted = state.database
    .prepare<[string], number>(
      `SELECT 1 FROM migrations
       WHERE guid = ? AND (state = 'exporting' OR state = 'exported' AND archive_gone_at IS NULL)`,
    )
    .pluck()
  return {
    beat: queue.beat,
    release: queue.release,
    take() {
      const next = queue.take()
      return typeof next === 'object' ? toJob(next) : next
    },
    takeOver() {
      const row = queue.takeOver()
      return row && toJob(row)
    },
    finish: (id, { size, sha256 }) =>
      queue.end(id, 'exported', {
        exported_at: options.clock().getTime(),
        archive_size: size,
        archive_sha256: sha256,
      }),
    fail: (id, reason) => queue.end(id, 'failed', { failure: reason }),
    isWanted: (guid) => wanted.get(guid) !== undefined,
  }
}

const toJob = ({ id, guid, options, repositories }: JobRow): Job => ({
  id,
  guid,
  options: JSON.parse(options) as MigrationOptions,
  repositories: JSON.parse(repositories) as string[],
})
