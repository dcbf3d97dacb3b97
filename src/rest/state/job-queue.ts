import { randomBytes } from 'node:crypto'
import { hasEnded, ownProcess } from '../../files/partial-file.ts'
import type { StateDatabase } from './state-database.ts'

/** A table whose rows are jobs, and what its states mean. */
export interface JobTable {
  readonly name: 'migrations' | 'imports' | 'claims'
  /** The state of a job that no worker has. */
  readonly waiting: string
  /** The states in which a worker has it; it begins with the first. */
  readonly running: readonly [string, ...string[]]
  /** The columns that a worker needs. */
  readonly columns: string
}

/** Values of columns that change with a state. */
export type Changes = Readonly<Record<string, string | number | null>>

/** Jobs that wait, as one worker sees them. A job has one worker at a time. */
export interface JobQueue<Row> {
  /**
   * Takes the waiting job with the lowest id that has been waiting for `pace`; else returns the milliseconds until one has.
   */
  take(): Row | number | undefined
  /** Takes over a job whose worker is gone. */
  takeOver(): Row | undefined
  /** Sends a heartbeat; false if the job is no longer this worker's. */
  beat(id: number): boolean
  /** Releases the job, so that any worker can take it now. */
  release(id: number): void
  /** Gives the job another running state; false if it is no longer this worker's. */
  move(id: number, state: string, changes?: Changes): boolean
  /** Ends the job in a state; false if it is no longer this worker's. */
  end(id: number, state: string, changes?: Changes): boolean
}

export interface QueueOptions {
  /** The server's clock. */
  clock: () => Date
  /** Milliseconds that a job waits at least. */
  pace: number
  /** Milliseconds since 1970 on the clock of the machine. */
  machineTime?: (() => number) | undefined
}

/** Milliseconds after which a worker without a heartbeat counts as gone. */
export const SILENCE = 30_000

interface Work {
  id: number
  worker: string | null
  heartbeat: number
}

/** The jobs of a table for one worker. */
export function openJobQueue<Row extends { id: number }>(
  { database, write }: StateDatabase,
  { name, waiting, running, columns }: JobTable,
  { clock, pace, machineTime = Date.now }: QueueOptions,
): JobQueue<Row> {
  const worker = `${ownProcess()}-${randomBytes(4).toString('hex')}`
  const prepare = <Values extends unknown[], Result>(sql: string) =>
    database.prepare<Values, Result>(sql)
  const isRunning = `state IN (${running.map((state) => `'${state}'`).join(', ')})`
  const oldest = prepare<[], number | null>(
    `SELECT min(heartbeat) FROM ${name} WHERE state = '${waiting}'`,
  ).pluck()
  const due = prepare<[number], Row>(
    `SELECT ${columns} FROM ${name}
     WHERE state = '${waiting}' AND heartbeat <= ? ORDER BY id LIMIT 1`,
  )
  const begin = prepare<[string, number, number, number], unknown>(
    `UPDATE ${name} SET state = '${running[0]}', worker = ?, heartbeat = ?, updated_at = max(created_at, ?)
     WHERE id = ? AND state = '${waiting}'`,
  )
  const underWay = prepare<[], Row & Work>(
    `SELECT ${columns}, worker, heartbeat FROM ${name} WHERE ${isRunning} ORDER BY id`,
  )
  const seize = prepare<[string, number, number, string | null, number], unknown>(
    `UPDATE ${name} SET worker = ?, heartbeat = ?
     WHERE id = ? AND ${isRunning} AND worker IS ? AND heartbeat = ?`,
  )
  const own = `id = ? AND ${isRunning} AND worker = ?`
  const live = prepare<[number, number, string], unknown>(
    `UPDATE ${name} SET heartbeat = ? WHERE ${own}`,
  )
  const abandon = prepare<[number, string], unknown>(
    `UPDATE ${name} SET worker = NULL, heartbeat = 0 WHERE ${own}`,
  )
  const isGone = ({ worker, heartbeat }: Work) =>
    worker === null || heartbeat <= machineTime() - SILENCE || hasEnded(worker)

  /** Changes the state of a job of this worker. There are few sets of columns. */
  const change = (id: number, more: string, changes: Changes): boolean => {
    const columns = Object.keys(changes)
    const set = columns
      .map((column) => `${column} = ?`)
      .concat('updated_at = max(created_at, ?)', more)
    const update = prepare<unknown[], unknown>(`UPDATE ${name} SET ${set.join(', ')} WHERE ${own}`)
    const values = [...Object.values(changes), clock().getTime(), id, worker]
    return write(() => update.run(...values).changes > 0)
  }

  return {
    take() {
      // Looking first needs no lock, and most of the time there is no job.
      const since = oldest.get()
      if (since == null) return undefined
      const wait = since + pace - machineTime()
      if (wait > 0) return Math.min(wait, pace)
      return write(() => {
        const row = due.get(machineTime() - pace)
        if (row) begin.run(worker, machineTime(), clock().getTime(), row.id)
        return row
      })
    },
    takeOver() {
      for (const { worker: former, heartbeat, ...row } of underWay.all().filter(isGone)) {
        const { id } = row
        const { changes } = write(() => seize.run(worker, machineTime(), id, former, heartbeat))
        if (changes > 0) return row as unknown as Row
      }
      return undefined
    },
    beat: (id) => write(() => live.run(machineTime(), id, worker).changes > 0),
    release: (id) => void write(() => abandon.run(id, worker)),
    move: (id, state, changes = {}) =>
      change(id, `heartbeat = ${machineTime()}`, { state, ...changes }),
    end: (id, state, changes = {}) =>
      change(id, 'worker = NULL, heartbeat = 0', { state, ...changes }),
  }
}
