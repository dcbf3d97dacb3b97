import { UsageError } from '../command/usage-error.ts'

/** The option that `secondsOf` parses. */
export const TIMEOUT_OPTION = {
  type: 'string',
  value: '<seconds>',
  describe: 'Stop after this many seconds, with exit code 3 [off]',
} as const

/** Parses a number of seconds. Throws `UsageError`. */
export function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'off') return undefined
  // A timer of Node.js is limited to 2³¹ milliseconds.
  if (/^\d{1,6}(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`--timeout takes seconds or off, not ${JSON.stringify(text)}`)
}
