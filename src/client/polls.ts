import { ClientError } from './client-error.ts'
import type { Session } from './open-session.ts'
import { waitOf } from './read-refusal.ts'

const FIRST_WAIT = 2000
const LONGEST_WAIT = 60_000
const GROWTH = 1.5
const SPREAD = 0.1

/** The time between polls: longer each time, and as long as the server asks for, until the time of the wait is over. */
export class Polls {
  readonly #session: Session
  readonly #timeout: number
  readonly #interval: number | undefined
  readonly #start: number
  #backoff = FIRST_WAIT

  /** Begins the wait. From now on, the work of the session has `timeout` milliseconds. */
  constructor(
    session: Session,
    { timeout, interval }: { timeout: number; interval: number | undefined },
  ) {
    this.#session = session
    this.#timeout = timeout
    this.#interval = interval
    this.#start = session.clock.now()
    session.limit(timeout)
  }

  /** Milliseconds since it began. */
  get milliseconds(): number {
    return this.#session.clock.now() - this.#start
  }

  /** Waits until the next poll, after an answer with these headers. Returns false if there is no time for it. */
  async next(headers: Headers): Promise<boolean> {
    const least = waitOf(headers) ?? 0
    const spread = 1 + SPREAD * (2 * this.#session.clock.random() - 1)
    const wait = Math.max(least, this.#interval ?? this.#backoff * spread)
    this.#backoff = Math.min(LONGEST_WAIT, this.#backoff * GROWTH)
    const left = this.#timeout - this.milliseconds
    if (left <= 0 || least > left) return false
    await this.#session.pause(Math.min(wait, left))
    return true
  }
}

/** Whether the time of a session is over. */
export const isTimeOver = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'migration-timeout'
