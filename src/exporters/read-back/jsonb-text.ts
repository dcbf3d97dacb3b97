import { isObject, isRawNumber, type JsonValue } from '../../records/json/json.ts'

/** The text that PostgreSQL prints of a value in a column of type jsonb. */
export function jsonbText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (isRawNumber(value) || typeof value === 'number') return numericText(JSON.stringify(value))
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value)
    .toSorted(([left], [right]) => compareAsJsonb(left, right))
    .map(([name, member]) => `${JSON.stringify(name)}: ${jsonbText(member)}`)
  return `{${members.join(', ')}}`
}

/** The order of members in jsonb: shorter names first, in bytes, then by their bytes. */
export function compareAsJsonb(left: string, right: string): number {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length - b.length || a.compare(b)
}

/** Digits of the largest number that PostgreSQL has. */
const MOST_DIGITS = 131_072

/** A number of JSON as PostgreSQL prints it: without an exponent, with all its decimals. */
function numericText(number: string): string {
  const [, sign, whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const shift = Number(exponent)
  if (Math.abs(shift) > MOST_DIGITS) return number
  const point = whole.length + shift
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${decimals}`.padEnd(point, '0')
  const left = digits.slice(0, Math.max(0, point)).replace(/^0+(?=\d)/, '') || '0'
  const right = digits.slice(Math.max(0, point))
  const text = right === '' ? left : `${left}.${right}`
  return sign && /[1-9]/.test(text) ? `-${text}` : text
}
