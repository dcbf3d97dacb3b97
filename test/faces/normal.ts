/** How the answers of faces are made comparable: a time is seconds, a person a login, a list is sorted. */

import { when } from '../../src/pages/parts/elements.ts'

/**
 * Seconds since 1970 of a time in a record, to the second; null for anything else, such as February 30. A time without a zone is
 * UTC.
 */
export function secondsOf(time: unknown): number | null {
  const day = typeof time === 'string' ? /^\d{4}-\d\d-\d\d/.exec(time)?.[0] : undefined
  if (typeof time !== 'string' || day === undefined || !isDay(day)) return null
  const isZoned = /(?:Z|[+-]\d\d:\d\d)$/.test(time)
  const millis = Date.parse(isZoned ? time : `${time}Z`)
  return Number.isNaN(millis) ? null : Math.floor(millis / 1000)
}

/** Whether a month has the day: JavaScript takes February 30 for a day in March. */
function isDay(day: string): boolean {
  const start = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day)
}

/** The same for a time in an answer of the REST interface, which writes 1970 where its format allows no null. */
export const restSeconds = (time: unknown): number | null => secondsOf(time) || null

/** The same for a time as pages print it. */
export const pageSeconds = (time: string | null): number | null =>
  secondsOf(/datetime="([^"]+)"/.exec(when(time).toString())?.[1])

const MONTHS =
  'January February March April May June July August September October November December'

/** `3 May 2021`: the day of a time, as Markdown writes it. */
export function dayOf(seconds: number | null): string | null {
  if (seconds === null) return null
  const date = new Date(seconds * 1000)
  return `${date.getUTCDate()} ${MONTHS.split(' ')[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** `ada` from `https://H/ada`. */
export const loginOf = (url: unknown): string | null =>
  typeof url === 'string' ? decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)) : null

/** The login of a person in an answer of the REST interface; null for who stands for deleted accounts. */
export function restLogin(user: unknown): string | null {
  const { login = 'ghost' } = (user ?? {}) as { login?: string }
  return login === 'ghost' ? null : login
}

/** The words of the interface for reactions, and those of archives. */
const REACTIONS: Readonly<Record<string, string>> = {
  hooray: 'tada',
  laugh: 'smile',
  confused: 'thinking_face',
}

/** How often each reaction was given, sorted. */
export function reactionsOf(contents: readonly unknown[]): string[] {
  const words = contents.map((content) => REACTIONS[String(content)] ?? String(content))
  return [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => `${word} ${length}`)
    .sort()
}

export const sorted = (values: readonly (string | null)[]): string[] => values.map(String).sort()

/** The elements of a JSON array; none if the text is anything else. */
export function elementsOf(json: unknown): unknown[] {
  try {
    const list: unknown = JSON.parse(String(json))
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}
