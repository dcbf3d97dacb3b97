import { ClientError, isTransient } from './client-error.ts'
import type { ClientClock } from './client-options.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** How long a session without a limit waits for one answer. */
const LONGEST = 60 * MINUTE

/** A failure after which another attempt makes sense. */
type Failure =
  /** A rate limit whose end the server names. */
  | 'limit'
  /** A rate limit without an end. */
  | 'open limit'
  /** A status of 500 and above, a connection that breaks, an answer that stops. */
  | 'outage'
  /** A 404 of something that this process has just made: another replica has it already. */
  | 'replica'

/**
 * How long to wait after each failure: the first wait, which doubles up to the longest one. The server may want more. A limit and a
 * replica are asked again until the time is over, an outage a number of times. All other failures are final.
 */
const WAITS: Readonly<Record<Failure, { first: number; most: number }>> = {
  limit: { first: SECOND, most: MINUTE },
  'open limit': { first: MINUTE, most: 15 * MINUTE },
  outage: { first: SECOND, most: MINUTE },
  replica: { first: SECOND, most: 8 * SECOND },
}

/** The parts of a session that waiting needs. */
export interface Waiter {
  readonly clock: ClientClock
  /** Milliseconds that are left; undefined without a limit. */
  left(): number | undefined
  /** Whether the server has answered anything. If it never has, its address is probably wrong. */
  hasAnswered(): boolean
  pause(milliseconds: number): Promise<void>
  notice(text: string): void
}

/** For what, and how often, a request is repeated. */
export interface PatienceOptions {
  /** Further attempts after outages in a row. */
  retries: number
  /** Whether a 404 may come from a replica that is behind. Default: never. */
  isNew?: () => boolean
  /** Further errors that count as an outage. */
  isOutage?: (error: unknown) => boolean
}

/** Counts the failures of a request, or of a series of requests that resume each other, and waits before the next attempt. */
export class Patience {
  readonly #waiter: Waiter
  readonly #options: PatienceOptions
  readonly #failed = new Map<Failure, number>()
  readonly #start: number
  #isTold = false

  constructor(waiter: Waiter, options: PatienceOptions) {
    this.#waiter = waiter
    this.#options = options
    this.#start = waiter.clock.now()
  }

  /** Counts from the beginning, because there was progress. */
  renew(): void {
    this.#failed.clear()
  }

  /**
   * Waits until another attempt makes sense. Returns false if none does: then the error is final. Says once that it waits.
   *
   * @throws `interrupted`, or `migration-timeout` if the time of the session is over
   */
  async allows(error: unknown): Promise<boolean> {
    const failure = this.#failureIn(error)
    if (failure === undefined) return false
    const before = this.#failed.get(failure) ?? 0
    if (failure === 'outage' && before >= this.#options.retries) return false
    const { clock, left, notice, pause } = this.#waiter
    const room = left() ?? LONGEST - (clock.now() - this.#start)
    const { message, wait: wanted = 0 } = error as ClientError
    // The time of a session ends in an error of its own.
    if (room <= 0 && left() !== undefined) await pause(SECOND)
    if (room <= 0 || wanted > room) return false
    this.#failed.set(failure, before + 1)
    if (!this.#isTold) notice(`${message}; trying again`)
    this.#isTold = true
    const { first, most } = WAITS[failure]
    await pause(Math.min(room, Math.max(wanted, Math.min(most, first * 2 ** before))))
    return true
  }

  #failureIn(error: unknown): Failure | undefined {
    if (!(error instanceof ClientError)) return undefined
    const { code, status, wait } = error
    if (code === 'rate-limited') return wait === undefined ? 'open limit' : 'limit'
    if (status === 404 && this.#options.isNew?.()) return 'replica'
    const isOutage = isTransient(error) || this.#options.isOutage?.(error)
    return isOutage && this.#waiter.hasAnswered() ? 'outage' : undefined
  }
}

/** The last requests of this process that a server may count, by the clock that measured them. */
export interface Memory {
  /** When the last POST was or will be sent, or was answered. */
  posted: number
  /** When resources were made, by URL. */
  readonly made: Map<string, number>
}

const memories = new WeakMap<ClientClock, Memory>()

export function memoryOf(clock: ClientClock): Memory {
  const known = memories.get(clock)
  if (known) return known
  const memory = { posted: Number.NEGATIVE_INFINITY, made: new Map<string, number>() }
  memories.set(clock, memory)
  return memory
}

/** Takes the next time for a POST: hosts want them one second apart. Returns the milliseconds until then. */
export function untilPost(memory: Memory, clock: ClientClock): number {
  const now = clock.now()
  const next = Math.max(now, memory.posted + SECOND)
  memory.posted = next
  return next - now
}

/** Whether a resource was made within the last minute, so that replicas may not have it. */
export function isNewHere({ made }: Memory, url: URL, clock: ClientClock): boolean {
  const at = made.get(url.href)
  return at !== undefined && clock.now() - at < MINUTE
}
