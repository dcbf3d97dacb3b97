import { isObject, isRawNumber, type JsonObject, type JsonValue } from '../records/json/json.ts'
import type { Derivation } from '../records/kinds/derivation.ts'
import type { Kind } from '../records/kinds/kind.ts'

type Value = string | number | bigint | null

/**
 * The derived columns of a record in order, and its type: the values that the database computes for the same record. A
 * member that the database would keep in `_extra` counts as NULL, as it does there.
 */
export function deriveValues(kind: Kind, record: JsonObject): Value[] {
  const known = new Map<string, Value>()
  const read = (name: string): Value => known.get(name) ?? stored(kind, record, name)
  for (const [name, { from }] of Object.entries(kind.derived)) {
    known.set(name, derive(from, read, record))
  }
  return [...known.values(), memberText(record, 'type') ?? kind.type]
}

/** The members from which the derived columns of a kind follow. */
export function sourcesOf(kind: Kind): Set<string> {
  const named = Object.values(kind.derived).flatMap(({ from }) =>
    from.how === 'state' ? [from.closed, from.merged ?? from.closed] : from.of,
  )
  return new Set(named.filter((name) => Object.hasOwn(kind.columns, name)))
}

/** A text or an integer that has a column. */
function stored(kind: Kind, record: JsonObject, name: string): Value {
  const value = Object.hasOwn(record, name) ? (record[name] as JsonValue) : null
  const storage = kind.columns[name]?.storage
  if (storage === 'text' || storage === 'time') {
    return typeof value === 'string' && value.isWellFormed() ? value : null
  }
  return storage === 'integer' && Number.isSafeInteger(value) ? (value as number) : null
}

function derive(from: Derivation, read: (name: string) => Value, record: JsonObject): Value {
  switch (from.how) {
    case 'number-at-end':
      return numberAtEnd(read(from.of))
    case 'last-part':
      return ofText(read(from.of), afterLastSlash)
    case 'member':
      return memberText(record[from.of], from.member)
    case 'first-of':
      return from.of.map(read).find((value) => value !== null) ?? null
    case 'before-fragment':
      return ofText(read(from.of), beforeFragment)
    case 'repository-of-thread':
      return ofText(read(from.of), withoutLastTwoParts)
    case 'full-name':
      return ofText(read(from.of), fullName)
    case 'word': {
      const value = read(from.of)
      return typeof value === 'number' ? (from.words[value] ?? null) : null
    }
    case 'state':
      if (from.merged !== undefined && read(from.merged) !== null) return 'merged'
      return read(from.closed) !== null ? 'closed' : 'open'
  }
}

const ofText = (value: Value, work: (text: string) => Value): Value =>
  value === null ? null : work(String(value))

const MOST = 2n ** 63n - 1n

// The last digits of a commit id are not a number.
function numberAtEnd(value: Value): Value {
  if (value === null) return null
  const [, digits = ''] = /[/r-](\d+)$/.exec(String(value)) ?? []
  if (digits === '') return null
  const number = BigInt(digits)
  // SQLite casts to the nearest integer that it has.
  const cast = number > MOST ? MOST : number
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

const withoutLastPart = (url: string) => url.slice(0, url.lastIndexOf('/') + 1).replace(/\/+$/, '')

function fullName(url: string): string | null {
  const host = withoutLastTwoParts(url)
  if (host === null) return null
  // SQLite counts characters, not UTF-16 units.
  const next = url.codePointAt(host.length) ?? 0
  return url.slice(host.length + (next > 0xffff ? 2 : 1))
}

function beforeFragment(url: string): string {
  const [page = ''] = url.split('#', 1)
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
