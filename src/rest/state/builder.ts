import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError, describePlace } from '../../base/errors.ts'
import { makeOwnFolder } from '../../files/own-folder.ts'
import { ownProcess, removeStale } from '../../files/partial-file.ts'
import { foldLogin } from '../../http/access/accounts-file.ts'
import { call } from '../../work/call.ts'
import type { BuildOrder, Built, buildCounted } from './build-migration.ts'
import { type BuildQueue, type Job, openBuildQueue } from './build-queue.ts'
import type { Migrations } from './migrations.ts'
import type { StateDatabase } from './state-database.ts'

export interface BuilderOptions {
  clock: () => Date
  /** The least milliseconds that a migration stays pending, and the least that it stays exporting. */
  pace: number
  archiveKinds: 'all' | 'documented'
  /** Repositories whose migrations fail, for tests of clients. */
  fail: readonly string[]
  /** Paths of the databases that are served. */
  databases: readonly string[]
  /** Called every minute, to remove what has expired. */
  tidy?: (() => void) | undefined
  /** Called at each step with its name, the migration, and a message. */
  log?: ((step: BuildStep, id: number | undefined, message?: string) => void) | undefined
  /** Milliseconds since 1970 on the clock of the machine. */
  machineTime?: (() => number) | undefined
}

/**
 * `lost`: another worker took the migration over; `released`: the next server will build it; `delayed`: the state could
 * not be read or written, and will be tried again.
 */
export type BuildStep =
  | ('taken' | 'taken over' | 'built')
  | ('exported' | 'failed' | 'lost' | 'released' | 'delayed')

/** Builds the archives of migrations, one at a time, while a server runs. */
export interface Builder {
  /** Wakes the builder: there may be something to build. */
  wake(): void
  /** Resolves when nothing is being built and nothing is due. */
  idle(): Promise<void>
  /** Stops; a build that is not complete is left to the next server. */
  close(): Promise<void>
}

const LOOK = 1000
const BEAT = 5000
const MINUTE = 60_000
/** Milliseconds in which a build must have stopped. */
const GRACE = 2000

/** Starts to build the migrations of a state, also those that a killed server has left. */
export function openBuilder(
  state: StateDatabase,
  migrations: Migrations,
  options: BuilderOptions,
): Builder {
  const archives = state.archives as string
  const { pace, log, machineTime } = options
  const queue = openBuildQueue(state, { clock: options.clock, pace, machineTime })
  makeOwnFolder(archives, { isInner: true })
  let running: { stop(): void; done: Promise<void> } | undefined
  let timer: NodeJS.Timeout | undefined
  let swept = Number.NEGATIVE_INFINITY
  let closed = false
  let waiting: (() => void)[] = []

  const look = (delay: number) => {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(tick, delay)
    // Keep the process alive only while a caller waits.
    if (waiting.length === 0) timer.unref()
  }
  /** Another server may keep the state busy, or the disk may be full: try again later. */
  const tick = () => {
    try {
      look(step())
    } catch (error) {
      log?.('delayed', undefined, (error as Error).message)
      look(LOOK)
    }
  }
  /** Starts the next build. Returns the milliseconds until it should look again. */
  const step = (): number => {
    if (performance.now() - swept > MINUTE) {
      swept = performance.now()
      for (const guid of migrations.expireArchives())
        rmSync(archiveOf(archives, guid), { force: true })
      removeLeftovers(archives, queue)
      options.tidy?.()
    }
    if (running || closed) return LOOK
    const abandoned = queue.takeOver()
    const next = abandoned ?? queue.take()
    if (next === undefined || typeof next === 'number') {
      if (next === undefined) for (const resolve of waiting.splice(0)) resolve()
      return Math.min(next ?? LOOK, LOOK)
    }
    log?.(abandoned ? 'taken over' : 'taken', next.id)
    const build = startBuild(next, { queue, archives, options })
    running = build
    void build.done.then(() => {
      running = undefined
      look(0)
    })
    return LOOK
  }
  look(0)
  return {
    wake: () => look(0),
    idle() {
      if (closed) return Promise.resolve()
      return new Promise((resolve) => {
        waiting.push(resolve)
        look(0)
      })
    },
    async close() {
      closed = true
      clearTimeout(timer)
      running?.stop()
      await running?.done
      for (const resolve of waiting) resolve()
      waiting = []
    },
  }
}

/** The file of an archive in a folder. */
export const archiveOf = (folder: string, guid: string): string => join(folder, `${guid}.tar.gz`)

/** Removes archives without a migration, and the partial files of killed processes. */
function removeLeftovers(archives: string, queue: BuildQueue): void {
  removeStale(archives, { anyName: true })
  for (const name of readdirSync(archives)) {
    const [, guid] = /^([0-9a-f-]{36})\.tar\.gz$/.exec(name) ?? []
    if (guid !== undefined && !queue.isWanted(guid)) rmSync(join(archives, name), { force: true })
  }
}

/** Removes the partial file that a terminated thread of this process left. */
function removeOwn(archives: string, guid: string): void {
  const start = `${guid}.tar.gz.${ownProcess()}-`
  for (const name of readdirSync(archives)) {
    if (name.startsWith(start)) rmSync(join(archives, name), { force: true })
  }
}

/** Builds one migration to its end. `done` never rejects. */
function startBuild(
  job: Job,
  { queue, archives, options }: { queue: BuildQueue; archives: string; options: BuilderOptions },
) {
  const { log, pace, fail, databases, archiveKinds } = options
  const begun = performance.now()
  const stopping = new AbortController()
  const heart = setInterval(() => attempt(() => queue.beat(job.id)), BEAT)
  heart.unref()
  const order: BuildOrder = {
    databases,
    repositories: job.repositories,
    options: job.options,
    archiveKinds,
    output: archiveOf(archives, job.guid),
  }
  const build = async (): Promise<Built | { failure: string }> => {
    const asked = job.repositories.find((name) =>
      fail.some((other) => foldLogin(other) === foldLogin(name)),
    )
    if (asked) return { failure: `${asked} was to fail` }
    try {
      const { signal } = stopping
      return await call<typeof buildCounted>('build', order, { in: 'thread', signal, grace: GRACE })
    } catch (error) {
      return { failure: reasonOf(error) }
    }
  }
  const work = async () => {
    const report = await build()
    if ('sha256' in report) log?.('built', job.id, problemsOf(report.problems))
    await delay(pace - (performance.now() - begun), stopping.signal)
    if (stopping.signal.aborted) {
      removeOwn(archives, job.guid)
      queue.release(job.id)
      log?.('released', job.id)
    } else if ('failure' in report) {
      const isOurs = queue.fail(job.id, report.failure)
      log?.(isOurs ? 'failed' : 'lost', job.id, report.failure)
    } else {
      log?.(queue.finish(job.id, report) ? 'exported' : 'lost', job.id)
    }
  }
  const done = work()
    // The state cannot be written: the migration stays with this worker until it counts as gone.
    .catch((error: Error) => log?.('lost', job.id, error.message))
    .finally(() => clearInterval(heart))
  return { stop: () => stopping.abort(), done }
}

const problemsOf = (count: number) => (count > 0 ? `${count} records break a rule` : undefined)

function reasonOf(error: unknown): string {
  if (!(error instanceof ArchiveError)) {
    return (error instanceof Error && error.stack) || String(error)
  }
  const place = describePlace(error.place)
  return `${error.code}: ${error.message}${place === '' ? '' : ` (${place})`}`
}

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // The next heartbeat may succeed.
  }
}

const delay = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (milliseconds <= 0 || signal.aborted) {
      resolve()
      return
    }
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
