import { isObject, isRawNumber, type JsonObject, type JsonValue } from '../records/json/json.ts'
import type { Derivation } from '../records/kinds/derivation.ts'
import { type Kind, perKind } from '../records/kinds/kind.ts'

type Value = string | number | bigint | null

/**
 * The derived columns of a record in order, and its type: the values that the database computes for the same record. A
 * member that the database would keep in `_extra` counts as NULL, as it does there.
 */
export function deriveValues(kind: Kind, record: JsonObject): Value[] {
  const steps = stepsOf(kind)
  const values: Value[] = []
  for (let i = 0; i < steps.length; i++) values.push((steps[i] as Step)(record, values))
  return values
}

/** Derives a column from a record and the derived columns before it. */
type Step = (record: JsonObject, earlier: readonly Value[]) => Value

const stepsOf = perKind((kind): Step[] => {
  const names = Object.keys(kind.derived)
  const steps = Object.values(kind.derived).map(({ from }, i) =>
    stepOf(from, (name) => {
      const derived = names.indexOf(name)
      const stored = readerOf(kind, name)
      if (derived < 0 || derived >= i) return stored
      return (record, earlier) => earlier[derived] ?? stored(record, earlier)
    }),
  )
  return [...steps, (record) => memberText(record, 'type') ?? kind.type]
})

/** The members from which the derived columns of a kind follow. */
export function sourcesOf(kind: Kind): Set<string> {
  const named = Object.values(kind.derived).flatMap(({ from }) =>
    from.how === 'state' ? [from.closed, from.merged ?? from.closed] : from.of,
  )
  return new Set(named.filter((name) => Object.hasOwn(kind.columns, name)))
}

/** Reads a text or an integer that has a column. */
function readerOf(kind: Kind, name: string): Step {
  const storage = kind.columns[name]?.storage
  if (storage === 'text' || storage === 'time') {
    return (record) => {
      const value = record[name]
      return typeof value === 'string' && value.isWellFormed() ? value : null
    }
  }
  if (storage !== 'integer') return () => null
  return (record) => {
    const value = record[name]
    return Number.isSafeInteger(value) ? (value as number) : null
  }
}

function stepOf(from: Derivation, reader: (name: string) => Step): Step {
  switch (from.how) {
    case 'number-at-end':
      return after(reader(from.of), numberAtEnd)
    case 'last-part':
      return after(reader(from.of), afterLastSlash)
    case 'member':
      return (record) => memberText(record[from.of], from.member)
    case 'first-of': {
      const readers = from.of.map(reader)
      return (record, earlier) => {
        for (const read of readers) {
          const value = read(record, earlier)
          if (value !== null) return value
        }
        return null
      }
    }
    case 'before-fragment':
      return after(reader(from.of), beforeFragment)
    case 'repository-of-thread':
      return after(reader(from.of), withoutLastTwoParts)
    case 'full-name':
      return after(reader(from.of), fullName)
    case 'word': {
      const read = reader(from.of)
      return (record, earlier) => {
        const value = read(record, earlier)
        return typeof value === 'number' ? (from.words[value] ?? null) : null
      }
    }
    case 'state': {
      const closed = reader(from.closed)
      const merged = from.merged === undefined ? () => null : reader(from.merged)
      return (record, earlier) => {
        if (merged(record, earlier) !== null) return 'merged'
        return closed(record, earlier) !== null ? 'closed' : 'open'
      }
    }
  }
}

const after =
  (read: Step, work: (text: string) => Value): Step =>
  (record, earlier) => {
    const value = read(record, earlier)
    return value === null ? null : work(String(value))
  }

const MOST = 2n ** 63n - 1n

/** A double is exact for numbers of so many digits. */
const MOST_DIGITS = 15
const [ZERO, NINE] = [0x30, 0x39]

// The last digits of a commit id are not a number.
function numberAtEnd(text: string): Value {
  let first = text.length
  let number = 0
  for (let unit = 1; first > 0; first--, unit *= 10) {
    const code = text.charCodeAt(first - 1)
    if (code < ZERO || code > NINE) break
    number += (code - ZERO) * unit
  }
  const digits = text.length - first
  if (digits === 0 || first === 0 || !'/r-'.includes(text[first - 1] as string)) return null
  if (digits <= MOST_DIGITS) return number
  const large = BigInt(text.slice(first))
  // SQLite casts to the nearest integer that it has.
  const cast = large > MOST ? MOST : large
  return cast <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(cast) : cast
}

// Longer than any real URL: the database leaves it alone.
const isShort = (url: string) => url.length <= 2048 || [...url].length <= 2048

const afterLastSlash = (url: string) => (isShort(url) ? url.slice(url.lastIndexOf('/') + 1) : null)

function withoutLastTwoParts(url: string): string | null {
  if (!isShort(url)) return null
  const parent = withoutLastPart(url)
  return withoutLastPart(parent)
}

function withoutLastPart(url: string): string {
  let end = url.lastIndexOf('/') + 1
  while (end > 0 && url[end - 1] === '/') end--
  return url.slice(0, end)
}

function fullName(url: string): string | null {
  const host = withoutLastTwoParts(url)
  if (host === null) return null
  // SQLite counts characters, not UTF-16 units.
  const next = url.codePointAt(host.length) ?? 0
  return url.slice(host.length + (next > 0xffff ? 2 : 1))
}

function beforeFragment(url: string): string {
  const fragment = url.indexOf('#')
  const page = fragment < 0 ? url : url.slice(0, fragment)
  return /\/files$/i.test(page) ? page.slice(0, -6) : page
}

/** The result of `object ->> 'member'` in SQLite, in a column of type TEXT. */
function memberText(value: JsonValue | undefined, member: string): string | null {
  if (!isObject(value ?? null) || !Object.hasOwn(value as JsonObject, member)) return null
  const found = (value as JsonObject)[member] as JsonValue
  if (found === null) return null
  if (typeof found === 'string') return found.isWellFormed() ? found : null
  if (typeof found === 'boolean') return found ? '1' : '0'
  return isRawNumber(found) || typeof found === 'object' ? JSON.stringify(found) : String(found)
}
