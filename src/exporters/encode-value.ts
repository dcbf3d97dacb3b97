import { formatTime, USUAL_TIME } from '../base/format-time.ts'
import { isObject, isRawNumber, type JsonValue } from '../records/json/json.ts'
import { type Kind, perKind } from '../records/kinds/kind.ts'
import { type ExportMember, type ExportType, typeOf } from './column-types.ts'
import type { Dialect } from './dialect.ts'

/**
 * A value of an exported column: text, integer (a bigint beyond 2^53), boolean, time in milliseconds since 1970, list or
 * struct. A `json` column holds JSON text.
 */
export type TypedValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | TypedValue[]
  | { [member: string]: TypedValue }

/** How much of a JSON value a column gives back: all of it, something useful, or nothing. */
type Fidelity = 'exact' | 'approximate' | 'none'

type Encode = (value: JsonValue) => TypedValue

export interface Encoder {
  readonly encode: Encode
  /** The column of a record without the member. */
  readonly absent: TypedValue
  /** NULL can be distinguished from any other value. */
  readonly holdsNull: boolean
}

let lowest: Fidelity = 'exact'

/** Encodes one member. Encoders nest, so the lowest fidelity of the parts is that of the whole. */
export function encodeWith(
  encode: Encode,
  value: JsonValue,
): { typed: TypedValue; fidelity: Fidelity } {
  lowest = 'exact'
  const typed = encode(value)
  return { typed, fidelity: lowest }
}

function approximate<T extends TypedValue>(value: T): T {
  if (lowest === 'exact') lowest = 'approximate'
  return value
}

function none(): null {
  lowest = 'none'
  return null
}

const made = new Map<Dialect, (kind: Kind) => readonly Encoder[]>()

/** Encodes the members of a kind for a target, in the order of their columns. */
export function encodersFor(dialect: Dialect): (kind: Kind) => readonly Encoder[] {
  const known = made.get(dialect)
  if (known) return known
  const encodersOf = perKind((kind) =>
    Object.entries(kind.columns).map(([name, column]): Encoder => {
      const type = typeOf(column)
      const holdsNull =
        (type.is !== 'list' || dialect.nullList) && (type.is !== 'struct' || dialect.nullStruct)
      const longest = dialect.indexed?.isIndexed(name) ? dialect.indexed.bytes : undefined
      return {
        encode: encoderOf(type, dialect, longest),
        absent: type.is === 'list' && !dialect.nullList ? [] : null,
        holdsNull,
      }
    }),
  )
  made.set(dialect, encodersOf)
  return encodersOf
}

function encoderOf(type: ExportType, dialect: Dialect, longest?: number): Encode {
  switch (type.is) {
    case 'text':
      return textEncoder(dialect, longest)
    case 'time':
      return dialect.timesAsText ? textEncoder(dialect) : encodeTime
    case 'flag':
      return (value) => (typeof value === 'boolean' ? value : none())
    case 'integer':
      return encodeInteger
    case 'json':
      return jsonEncoder(dialect)
    case 'list':
      return listEncoder(type.element, dialect, longest)
    case 'struct':
      return structEncoder(type.members, dialect)
  }
}

function textEncoder({ nul }: Dialect, longest = Number.POSITIVE_INFINITY): Encode {
  return (value) => {
    if (typeof value !== 'string') return none()
    if (value.length * 3 > longest && Buffer.byteLength(value) > longest) return none()
    // UTF-8 has no lone surrogates.
    const held = nul || !value.includes('\0') ? value : value.replaceAll('\0', '')
    return held === value && value.isWellFormed() ? value : approximate(held.toWellFormed())
  }
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z')

function encodeTime(value: JsonValue): TypedValue {
  if (typeof value !== 'string') return none()
  if (USUAL_TIME.test(value)) return Date.parse(value)
  if (!INSTANT.test(value)) return none()
  const instant = Date.parse(value)
  // NaN is in no range.
  if (!(instant >= YEAR_1 && instant <= YEAR_9999)) return none()
  if (formatTime(instant) === value) return instant
  return isDay(value) ? approximate(instant) : none()
}

/** JavaScript takes 31 February for 2 March. */
function isDay(time: string): boolean {
  const day = time.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function encodeInteger(value: JsonValue): TypedValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : none()
  if (!isRawNumber(value)) return none()
  const { rawJSON: text } = value
  if (/^-?(?:0|[1-9]\d{0,18})$/.test(text) && text !== '-0') {
    const integer = BigInt(text)
    return BigInt.asIntN(64, integer) === integer ? integer : none()
  }
  const number = Number(text)
  return Number.isSafeInteger(number) ? approximate(number + 0) : none()
}

function jsonEncoder({ normalizesJson }: Dialect): Encode {
  return (value) => {
    const text = JSON.stringify(value)
    if (!normalizesJson) return text
    // Such a database refuses U+0000 and lone surrogates.
    if (/\\u(?:0000|d[89a-f])/.test(text)) return none()
    return keepsJson(value) ? text : approximate(text)
  }
}

/** Whether JSON without an order of members and without the text of numbers still gives back this value. */
function keepsJson(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(keepsJson)
  if (isRawNumber(value)) return false
  if (!isObject(value)) return true
  const names = Object.keys(value)
  return names.length < 2 && names.every((name) => keepsJson(value[name] as JsonValue))
}

function listEncoder(element: ExportType, dialect: Dialect, longest?: number): Encode {
  const encode = encoderOf(element, dialect, longest)
  const holdsNull = element.is !== 'struct' || dialect.nullStruct
  const encodeElement: Encode = (value) => {
    if (value === null) return holdsNull ? null : approximate(null)
    return encode(value)
  }
  return (value) => (Array.isArray(value) ? value.map(encodeElement) : none())
}

function structEncoder(members: readonly ExportMember[], dialect: Dialect): Encode {
  const fields = members.map(({ name, type, optional }, position) => ({
    name,
    optional,
    position,
    encode: encoderOf(type, dialect),
  }))
  const byName = new Map(fields.map((field) => [field.name, field]))
  const required = fields.filter(({ optional }) => !optional).length
  const blank = Object.fromEntries(fields.map(({ name }) => [name, null]))
  return (value) => {
    if (!isObject(value)) return none()
    const struct: Record<string, TypedValue> = { ...blank }
    let last = -1
    let found = 0
    for (const [name, part] of Object.entries(value)) {
      const field = byName.get(name)
      if (!field) return none()
      if (!field.optional) found++
      // The columns do not show members in another order, nor null where NULL means absent.
      if (field.position < last || (field.optional && part === null)) approximate(null)
      last = field.position
      if (part !== null) struct[name] = field.encode(part)
    }
    if (found < required) approximate(null)
    return struct
  }
}
