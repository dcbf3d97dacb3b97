import type { Period } from '../../database/rows/period.ts'
import { UsageError } from '../command/usage-error.ts'

const PERIOD = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Parses a date: a time with its zone, or a day, month or year in UTC. A day, month or year means its first moment, or with
 * `end` its last: `--until 2023` includes the whole year. Throws `UsageError`.
 */
export function parseDate(option: string, text: string, { end = false } = {}): Date {
  const [, year, month = '01', date = '01'] = PERIOD.exec(text) ?? []
  const day = year === undefined ? text.slice(0, 10) : `${year}-${month}-${date}`
  const start = new Date(year === undefined ? text : `${day}T00:00:00Z`)
  // Date.parse reads 30 February as 1 March.
  const isDay = isSameDay(new Date(`${day}T00:00:00Z`), day)
  if ((year !== undefined || TIME.test(text)) && isDay && !Number.isNaN(start.getTime())) {
    return end && year !== undefined ? lastMoment(start, text) : start
  }
  throw new UsageError(
    `--${option} takes a date, not ${JSON.stringify(text)}`,
    `Write it like --${option} 2024, 2024-05, 2024-05-06 or 2024-05-06T07:08:09Z`,
  )
}

/**
 * Parses the options of a period. A day, month or year as its end belongs to it; a time is its last moment. Throws
 * `UsageError`.
 */
export const parsePeriod = (values: {
  since?: string | undefined
  until?: string | undefined
}): Period => ({
  since: values.since === undefined ? undefined : parseDate('since', values.since),
  until: values.until === undefined ? undefined : parseDate('until', values.until, { end: true }),
})

const isSameDay = (date: Date, day: string): boolean =>
  !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day

/** The last millisecond of the year, month or day that begins then. */
function lastMoment(start: Date, text: string): Date {
  const next = new Date(start)
  if (text.length === 'YYYY'.length) next.setUTCFullYear(start.getUTCFullYear() + 1)
  else if (text.length === 'YYYY-MM'.length) next.setUTCMonth(start.getUTCMonth() + 1)
  else next.setUTCDate(start.getUTCDate() + 1)
  return new Date(next.getTime() - 1)
}
