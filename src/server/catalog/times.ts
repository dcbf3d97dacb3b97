const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

// An offset can lead out of the years that have four digits.
const FIRST = Date.parse('0000-01-01T00:00:00Z') / 1000
const LAST = Date.parse('9999-12-31T23:59:59Z') / 1000

/** Seconds since 1970 of a time in a record, whatever its offset; undefined if it is not a time. */
export function parseTime(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length > 40 || !FORM.test(text)) return undefined
  const second = text.slice(0, 19)
  const local = Date.parse(`${second}Z`)
  // JavaScript takes 2023-02-30 for a day in March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(second)) return undefined
  const time = Math.floor(Date.parse(text) / 1000)
  return time >= FIRST && time <= LAST ? time : undefined
}

/** `2024-01-31T23:59:59Z` */
export const formatTime = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** A time of a record in UTC and to the second; 1970 if it is not a time. */
export const toTime = (text: unknown): string => toTimeOrNull(text) ?? '1970-01-01T00:00:00Z'

/** A time of a record in UTC and to the second; null if it is not a time. */
export function toTimeOrNull(text: unknown): string | null {
  const seconds = parseTime(text)
  return seconds === undefined ? null : formatTime(seconds)
}
