import { formatTime } from '../../base/format-time.ts'
/** An author, committer or tagger, with a date. */
export interface Person {
  /** The name before the address. */
  readonly name: string
  /** The address, without angle brackets. */
  readonly email: string
  /** Seconds since 1970; undefined without a date. */
  readonly seconds: number | undefined
  /** The time zone as an offset from UTC, such as +0200. */
  readonly zone: string
}

// The name ends at the first <, the address at the next >. The date follows the last >.
const PERSON = /^([^<]*)<([^>]*)>?(?:.*>)? *(-?\d+)?(?: +([+-]\d+))?/

const SPACE = ' \t\n\v\f\r'

/** Removes ASCII space from the end, as Git does. A regular expression would take quadratic time. */
export function trimSpaceAtEnd(text: string): string {
  let end = text.length
  while (end > 0 && SPACE.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}

const trimSpace = (text: string): string => trimSpaceAtEnd(text.replace(/^[ \t\n\v\f\r]+/, ''))

/** Parses `Ada <ada@forge.example> 1714564800 +0200`, of which parts may be missing. */
export function parsePerson(line: string): Person {
  const [, name = '', email = '', seconds, zone = '+0000'] = PERSON.exec(line) ?? ['', line]
  return {
    name: trimSpace(name),
    email: trimSpace(email),
    seconds: seconds === undefined ? undefined : Number(seconds),
    zone: /^[+-]\d{4}$/.test(zone) ? zone : '+0000',
  }
}

const NOREPLY = /^(?:\d+\+)?([^@+]+)@users\.noreply\.(.+)$/i

/** The login in a noreply address of a host, such as `7+ada@users.noreply.github.com`, and that host. */
export function parseNoreply(email: string): { login: string; host: string } | undefined {
  const [, login, host] = NOREPLY.exec(email) ?? []
  return login === undefined || host === undefined ? undefined : { login, host }
}

// The years 0 to 9999, which are the dates that other programs accept.
const FIRST = -62_167_219_200
const LAST = 253_402_300_799

/** The time in UTC as in archives, such as `2024-05-01T12:00:00Z`; null without a valid date. */
export function timeOf({ seconds }: Person): string | null {
  if (seconds === undefined || seconds < FIRST || seconds > LAST) return null
  return formatTime(seconds * 1000)
}

/** The local time, such as `2024-05-01T14:00:00+02:00`; null without a valid date. */
export function localTimeOf({ seconds, ...person }: Person): string | null {
  if (seconds === undefined) return null
  const { zone } = person
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  const shifted = seconds + (zone.startsWith('-') ? -60 : 60) * minutes
  const local = timeOf({ ...person, seconds: shifted })
  return local && `${local.slice(0, -1)}${zone.slice(0, 3)}:${zone.slice(3)}`
}
