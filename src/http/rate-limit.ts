import { HttpError } from './http-error.ts'

/** How many requests a caller has left, for the headers and `/rate_limit`. */
export interface Quota {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Seconds since 1970, by the clock of the interface. */
  readonly reset: number
}

export interface RateLimit {
  /** The requests that a caller has left. */
  quota(key: string, isStranger: boolean, now: Date): Quota
  /**
   * Checks whether a caller may send more requests.
   *
   * @param who the caller in words, for the message
   * @throws `HttpError` 403 if a limit is enforced and used up
   */
  check(key: string, isStranger: boolean, who: string): void
  /** Counts one answer. */
  count(key: string): void
}

const HOUR = 3_600_000
const MOST_WINDOWS = 10_000
const CALLERS = 5_000
const STRANGERS = 60

interface Window {
  start: number
  used: number
}

/**
 * Counts requests in windows of an hour, one for each caller; they live in memory only.
 *
 * @param limits requests an hour that are enforced; without them the headers only inform
 * @param milliseconds a clock that never goes back
 */
export function createRateLimit(
  limits: { callers: number; strangers?: number | undefined } | undefined,
  milliseconds: () => number = () => performance.now(),
): RateLimit {
  const windows = new Map<string, Window>()
  const limitOf = (isStranger: boolean) =>
    isStranger ? (limits?.strangers ?? STRANGERS) : (limits?.callers ?? CALLERS)

  const find = (key: string): Window | undefined => {
    const window = windows.get(key)
    return window && milliseconds() - window.start < HOUR ? window : undefined
  }

  const open = (key: string): Window => {
    const found = find(key)
    if (found) return found
    const window = { start: milliseconds(), used: 0 }
    windows.delete(key)
    windows.set(key, window)
    // A Map keeps the order of insertion: its first key is the oldest window.
    for (const oldest of windows.keys()) {
      if (windows.size <= MOST_WINDOWS) break
      windows.delete(oldest)
    }
    return window
  }

  const quota = (key: string, isStranger: boolean, now: Date): Quota => {
    const limit = limitOf(isStranger)
    const { start, used: sent } = find(key) ?? { start: milliseconds(), used: 0 }
    // At 0 some clients sleep until the reset, so the number falls to 0 only if the limit is enforced.
    const remaining = Math.max(limits ? 0 : 1, limit - sent)
    // Without a limit that is enforced a caller may have sent more.
    const used = limit - remaining
    const reset = Math.ceil((now.getTime() + start + HOUR - milliseconds()) / 1000)
    return { limit, used, remaining, reset }
  }

  return {
    quota,
    check(key, isStranger, who) {
      const window = find(key)
      if (!limits || !window || window.used < limitOf(isStranger)) return
      const wait = Math.ceil((window.start + HOUR - milliseconds()) / 1000)
      throw new HttpError(403, `API rate limit exceeded for ${who}.`, {
        headers: { 'Retry-After': String(Math.max(1, wait)) },
        documentationUrl: 'https://developer.github.com/v3/#rate-limiting',
        isRateLimit: true,
      })
    },
    count(key) {
      open(key).used++
    },
  }
}

/** The key under which requests are counted: the account, or the address of a stranger. */
export const quotaKey = (login: string | undefined, remoteAddress: string): string =>
  login === undefined ? `address ${remoteAddress}` : `account ${login.toLowerCase()}`
