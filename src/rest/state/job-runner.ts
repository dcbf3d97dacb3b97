import { setTimeout as sleep } from 'node:timers/promises'
import type { JobQueue } from './job-queue.ts'

/**
 * `lost`: the job is another worker's, or was ended by somebody; `released`: the next server will do it; `delayed`: the state
 * could not be read or written, and will be tried again.
 */
export type JobStep = 'taken' | 'taken over' | 'lost' | 'released' | 'delayed'

/** The result of a job: the step that is reported, and what writes it to the state, false if the job was lost. */
export interface Outcome<Step> {
  readonly step: Step
  readonly message?: string | undefined
  write(): boolean
}

export interface RunnerOptions<Job, Step> {
  readonly queue: Pick<JobQueue<Job>, 'take' | 'takeOver' | 'beat' | 'release'>
  /** Jobs at a time. */
  readonly most: number
  /** The least milliseconds that a job takes. */
  readonly pace: number
  /** Carries out a job. It never rejects but for a fault of the state; when it was stopped, its result does not count. */
  carryOut(job: Job, signal: AbortSignal): Promise<Outcome<Step>>
  /** Removes what a job that was stopped has left. */
  abandon(job: Job): void
  /** Called at the start and every minute, to remove what is no longer needed. */
  tidy(): void
  /** Called at each step with its name, the job, and a message. */
  log?: ((step: Step | JobStep, id: number | undefined, message?: string) => void) | undefined
}

/** Does the jobs of a queue while a server runs. */
export interface JobRunner {
  /** Wakes the runner: there may be a job. */
  wake(): void
  /** Stops a job that somebody has ended. */
  stop(id: number): void
  /** Resolves when no job is under way and none is due. */
  idle(): Promise<void>
  /** Stops; a job that is not complete is left to the next server. */
  close(): Promise<void>
}

const LOOK = 1000
const BEAT = 5000
const MINUTE = 60_000

/** Starts to do the jobs of a queue, also those that a killed server has left. */
export function openJobRunner<Job extends { id: number }, Step extends string>(
  options: RunnerOptions<Job, Step>,
): JobRunner {
  const { queue, most, log } = options
  const running = new Map<number, { stop(): void; done: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined
  let tidied = Number.NEGATIVE_INFINITY
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
  /** Starts the next job. Returns the milliseconds until it should look again. */
  const step = (): number => {
    if (performance.now() - tidied > MINUTE) {
      tidied = performance.now()
      options.tidy()
    }
    if (running.size >= most || closed) return LOOK
    const abandoned = queue.takeOver()
    const next = abandoned ?? queue.take()
    if (next === undefined || typeof next === 'number') {
      const isIdle = next === undefined && running.size === 0
      if (isIdle) for (const resolve of waiting.splice(0)) resolve()
      return Math.min(next ?? LOOK, LOOK)
    }
    log?.(abandoned ? 'taken over' : 'taken', next.id)
    const job = startJob(next, options)
    running.set(next.id, job)
    void job.done.then(() => {
      running.delete(next.id)
      look(0)
    })
    return running.size < most ? 0 : LOOK
  }
  look(0)
  return {
    wake: () => look(0),
    stop: (id) => running.get(id)?.stop(),
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
      for (const job of running.values()) job.stop()
      await Promise.all([...running.values()].map(({ done }) => done))
      for (const resolve of waiting) resolve()
      waiting = []
    },
  }
}

/** Does one job to its end. `done` never rejects. */
function startJob<Job extends { id: number }, Step extends string>(
  job: Job,
  { queue, pace, log, carryOut, abandon }: RunnerOptions<Job, Step>,
) {
  const { id } = job
  const begun = performance.now()
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const heart = setInterval(() => {
    if (attempt(() => queue.beat(id)) === false) stop()
  }, BEAT)
  heart.unref()
  const work = async () => {
    const { signal } = stopping
    const outcome = await carryOut(job, signal)
    await delay(pace - (performance.now() - begun), signal)
    if (signal.aborted) {
      abandon(job)
      queue.release(id)
      log?.('released', id)
    } else {
      log?.(outcome.write() ? outcome.step : 'lost', id, outcome.message)
    }
  }
  const done = work()
    // The state cannot be written: the job stays with this worker until it counts as gone.
    .catch((error: Error) => log?.('lost', id, error.message))
    .finally(() => clearInterval(heart))
  return { stop, done }
}

/** The next heartbeat may succeed. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Waits, at most until the signal is aborted. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => {})
}
