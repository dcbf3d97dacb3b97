import { formatTime, USUAL_TIME } from '../base/format-time.ts'

// For SQLite a text ends before its first NUL.
const FORM =
  /^(?=[^\0]{1,99}(?:\0|$))(\d{4}-\d\d-\d\d)(?:$|(T\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|([+-](?:0\d|1[0-4])):([0-5]\d))?(?:\0|$))/

const LAST = Date.parse('9999-12-31T23:59:59Z') / 1000

/**
 * Seconds since 1970 of a time in a record, whatever its offset; undefined if it is not a time. A time without a zone is in
 * UTC, and a day alone its first second: no answer depends on the zone of the machine.
 * `timeOf` in `database/schema/facts/values.ts` is the same rule in SQL.
 */
export function parseTime(text: unknown): number | undefined {
  if (typeof text === 'string' && USUAL_TIME.test(text)) return Date.parse(text) / 1000
  const [, day = '', clock = 'T00:00:00', hours = '+00', minutes = '0'] =
    (typeof text === 'string' && FORM.exec(text)) || []
  const second = `${day}${clock}`
  const local = Date.parse(`${second}Z`)
  // JavaScript takes 2023-02-30 for a day in March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(second)) return undefined
  const sign = hours.startsWith('-') ? -1 : 1
  const time = local / 1000 - 3600 * Number(hours) - sign * 60 * Number(minutes)
  return second >= '0001' && time <= LAST ? time : undefined
}

/** `2024-01-31T23:59:59Z` */
export const formatSeconds = (seconds: number): string => formatTime(seconds * 1000)

/** A time as SQL has it, or 1970 where the interface allows no null. */
export const orEpoch = (time: unknown): string =>
  typeof time === 'string' ? time : '1970-01-01T00:00:00Z'

/** A time of a record in UTC and to the second; 1970 if it is not a time. */
export const toTime = (text: unknown): string => orEpoch(toTimeOrNull(text))

/** A time of a record in UTC and to the second; null if it is not a time. */
export function toTimeOrNull(text: unknown): string | null {
  const seconds = parseTime(text)
  return seconds === undefined ? null : formatSeconds(seconds)
}
