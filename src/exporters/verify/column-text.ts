import { formatTime } from '../../base/format-time.ts'
import { isObject, isRawNumber, type JsonObject, type JsonValue } from '../../records/json/json.ts'
import type { ExportMember, ExportType } from '../column-types.ts'
import type { Dialect } from '../dialect.ts'
import { FORMS, type Form } from '../read-back/forms.ts'
import { jsonbText } from '../read-back/jsonb-text.ts'

/** How the values of a target are written down for a checksum. */
export interface TextRules {
  readonly dialect: Dialect
  /** Objects, and lists of them. */
  readonly objects: Form
  /** Lists of texts and numbers. */
  readonly lists: Form
}

/** The text of a column, and whether it gives the JSON value back exactly. */
export interface ColumnText {
  readonly text: string | null
  readonly exact: boolean
}

/**
 * The text that a column must have for a JSON value: texts as they are, microseconds since 1970, `true` and `false`,
 * digits, JSON. It follows from the JSON alone, without the encoders of the export, so that it can prove them.
 *
 * @param longest the bytes of the longest text that the column holds
 */
export function columnText(
  type: ExportType,
  value: JsonValue,
  rules: TextRules,
  longest = Number.POSITIVE_INFINITY,
): ColumnText {
  const held = heldBy(type, value, rules, longest)
  return held ?? { text: nullText(type, rules), exact: false }
}

/** Whether NULL differs from any other value of a column. */
export const holdsNull = ({ is }: ExportType, { dialect }: TextRules): boolean =>
  (is !== 'list' || dialect.nullList) && (is !== 'struct' || dialect.nullStruct)

/** The text of NULL: some targets have an empty list in its place, or an object whose members are NULL. */
export function nullText(type: ExportType, rules: TextRules): string | null {
  if (holdsNull(type, rules)) return null
  return type.is === 'struct' ? type.members.map(() => '-').join('') : ''
}

/** Text as the target has it: UTF-8 has no lone surrogates, and some targets no U+0000. */
export const heldText = (text: string, { dialect }: TextRules): string =>
  (dialect.nul ? text : text.replaceAll('\0', '')).toWellFormed()

/** Undefined if no column of this type holds the value, or a part of it. */
function heldBy(
  type: ExportType,
  value: JsonValue,
  rules: TextRules,
  longest: number,
): ColumnText | undefined {
  if (value === null) return { text: nullText(type, rules), exact: holdsNull(type, rules) }
  switch (type.is) {
    case 'text':
      return plainText(value, rules, longest)
    case 'time':
      return rules.dialect.timesAsText ? plainText(value, rules, longest) : timeText(value)
    case 'flag':
      return typeof value === 'boolean' ? { text: String(value), exact: true } : undefined
    case 'integer':
      return integerText(value)
    case 'json':
      return jsonText(value, rules)
    case 'list':
      return Array.isArray(value) ? listText(type.element, value, rules, longest) : undefined
    case 'struct':
      return isObject(value) ? structText(type.members, value, rules) : undefined
  }
}

function plainText(value: JsonValue, rules: TextRules, longest: number): ColumnText | undefined {
  if (typeof value !== 'string') return undefined
  if (value.length * 3 > longest && Buffer.byteLength(value) > longest) return undefined
  const text = heldText(value, rules)
  return { text, exact: text === value }
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

function timeText(value: JsonValue): ColumnText | undefined {
  const match = typeof value === 'string' ? TIME.exec(value) : null
  if (!match) return undefined
  const [time, year, month, day] = match
  const instant = Date.parse(time)
  // NaN is in no range. Day 0 of the next month is the last of this one.
  if (!(instant >= FIRST && instant <= LAST)) return undefined
  const lastDay = new Date(0)
  lastDay.setUTCFullYear(Number(year), Number(month), 0)
  if (Number(day) > lastDay.getUTCDate()) return undefined
  const exact = formatTime(instant) === time
  return { text: String(BigInt(instant) * 1000n), exact }
}

function integerText(value: JsonValue): ColumnText | undefined {
  if (typeof value !== 'number' && !isRawNumber(value)) return undefined
  const digits = JSON.stringify(value)
  if (/^(?:0|-?[1-9]\d{0,18})$/.test(digits)) {
    const isHeld = BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
    return isHeld ? { text: digits, exact: true } : undefined
  }
  const number = Number(digits)
  return Number.isSafeInteger(number) ? { text: String(number + 0), exact: false } : undefined
}

function jsonText(value: JsonValue, { dialect }: TextRules): ColumnText | undefined {
  const text = JSON.stringify(value)
  if (!dialect.normalizesJson) return { text, exact: true }
  if (/\\u(?:0000|d[89a-f])/.test(text)) return undefined
  return { text: jsonbText(value), exact: !isNormalized(value) }
}

/** Whether jsonb loses something: the order of members, or how a number is written. */
function isNormalized(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(isNormalized)
  if (!isObject(value)) return isRawNumber(value)
  const members = Object.values(value)
  return members.length > 1 || members.some(isNormalized)
}

function listText(
  element: ExportType,
  values: readonly JsonValue[],
  rules: TextRules,
  longest: number,
): ColumnText | undefined {
  const form = element.is === 'struct' ? rules.objects : rules.lists
  const parts: string[] = []
  let exact = true
  for (const value of values) {
    const part = heldBy(element, value, rules, longest)
    if (!part) return undefined
    exact &&= part.exact
    parts.push(FORMS[form].part(element, part.text))
  }
  return { text: FORMS[form].list(parts), exact }
}

function structText(
  members: readonly ExportMember[],
  value: JsonObject,
  rules: TextRules,
): ColumnText | undefined {
  const found = Object.keys(value)
  if (found.some((name) => !members.some((member) => member.name === name))) return undefined
  const form = FORMS[rules.objects]
  const parts: [name: string, part: string][] = []
  // Columns show neither another order, nor whether a member that is NULL was there.
  const shown = members.filter(({ name, optional }) => !optional || (value[name] ?? null) !== null)
  let exact =
    shown.length === found.length && shown.every(({ name }, position) => name === found[position])
  for (const { name, type } of members) {
    const part = heldBy(type, value[name] ?? null, rules, Number.POSITIVE_INFINITY)
    if (!part) return undefined
    exact &&= part.exact
    parts.push([name, form.part(type, part.text)])
  }
  return { text: form.object(parts), exact }
}
