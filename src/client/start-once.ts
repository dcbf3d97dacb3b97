import { ClientError, isTransient } from './client-error.ts'
import type { Waiter } from './patience.ts'
import { Patience } from './patience.ts'

/** Further attempts after an outage. */
const RETRIES = 2

/**
 * Starts something that must not be started twice. If the answer is lost, it may have been started nevertheless: then it is looked
 * for before the next attempt.
 *
 * @param waiter the session
 * @param start asks the server, once
 * @param find what an attempt has started; undefined if none has
 * @throws as `start`; `isUncertain` if nobody could look whether it was started
 */
export async function startOnce<T>(
  waiter: Waiter,
  start: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const patience = new Patience(waiter, { retries: RETRIES })
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const mayHaveStarted = isTransient(error)
      const isAllowed = await patience.allows(error)
      if (!mayHaveStarted) throw error
      const found = await find().catch(() => {
        const message = `${error.message}; it may have been started nevertheless`
        throw new ClientError(error.code, message, { ...error, isUncertain: true })
      })
      if (found !== undefined) return found
      if (!isAllowed) throw error
    }
  }
}
