import { UsageError } from './usage-error.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** A date as typed: a day in UTC, or a time that says its zone. Throws `UsageError`. */
export function parseDate(option: string, typed: string): Date {
  const day = new Date(`${typed.slice(0, 10)}T00:00:00Z`)
  // The thirtieth of February is taken for the first of March.
  const isDay =
    !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === typed.slice(0, 10)
  const date = new Date(typed)
  if ((DAY.test(typed) || TIME.test(typed)) && isDay && !Number.isNaN(date.getTime())) return date
  throw new UsageError(
    `--${option} takes a date, not ${JSON.stringify(typed)}`,
    `Write it like --${option} 2024-05-06 or --${option} 2024-05-06T07:08:09Z`,
  )
}
