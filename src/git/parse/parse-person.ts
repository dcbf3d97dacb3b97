/** Who wrote something, and when. */
export interface Person {
  readonly name: string
  readonly email: string
  /** Seconds since 1970; undefined where there is no date. */
  readonly seconds: number | undefined
  /** Difference of the local time to UTC, such as +0200. */
  readonly zone: string
}

// The name ends at the first <, the address at the next >; what follows the last > is the date.
const PERSON = /^([^<]*)<([^>]*)>?(?:.*>)? *(-?\d+)?(?: +([+-]\d+))?/

const SPACE = ' \t\n\v\f\r'

/** Text without what Git takes for space at its end: ASCII alone. A pattern would take the square of the time. */
export function trimSpaceAtEnd(text: string): string {
  let end = text.length
  while (end > 0 && SPACE.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}

const trimSpace = (text: string): string => trimSpaceAtEnd(text.replace(/^[ \t\n\v\f\r]+/, ''))

/** `Ada <ada@forge.example> 1714564800 +0200`, with parts missing if need be. */
export function parsePerson(line: string): Person {
  const [, name = '', email = '', seconds, zone = '+0000'] = PERSON.exec(line) ?? ['', line]
  return {
    name: trimSpace(name),
    email: trimSpace(email),
    seconds: seconds === undefined ? undefined : Number(seconds),
    zone: /^[+-]\d{4}$/.test(zone) ? zone : '+0000',
  }
}

// The years 0 to 9999: what is beyond would not be a date to other programs.
const FIRST = -62_167_219_200
const LAST = 253_402_300_799

/** The time in UTC, `2024-05-01T12:00:00Z`, as archives write it; null for none that has a name. */
export function timeOf({ seconds }: Person): string | null {
  if (seconds === undefined || seconds < FIRST || seconds > LAST) return null
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}

/** The time where it was written, `2024-05-01T14:00:00+02:00`; null for none that has a name. */
export function localTimeOf({ seconds, ...person }: Person): string | null {
  if (seconds === undefined) return null
  const { zone } = person
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  const shifted = seconds + (zone.startsWith('-') ? -60 : 60) * minutes
  const local = timeOf({ ...person, seconds: shifted })
  return local && `${local.slice(0, -1)}${zone.slice(0, 3)}:${zone.slice(3)}`
}
