import { isRawNumber } from '../records/json/json.ts'

/** A value that JSON cannot say, and where it stands: `labels[0].color`. */
export interface Unwritable {
  member: string
  found: string
}

/** As deep as a record is read again. */
const DEEPEST = 512

/** What of a record would fail to become JSON, or become something else without a word; undefined where nothing would. */
export function describeUnwritable(record: object): Unwritable | undefined {
  const fault = faultIn(record, 1)
  return fault && { ...fault, member: fault.member.replace(/^\./, '') }
}

function faultIn(value: unknown, depth: number): Unwritable | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : here(String(value))
  if (typeof value !== 'object')
    return here(value === undefined ? 'undefined' : `a ${typeof value}`)
  if (isRawNumber(value)) return undefined
  if (depth > DEEPEST) return here(`nested more than ${DEEPEST} deep, or within itself`)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    // Rules are about what is written, not about what that would be made of.
    return here(`${tagOf(value)}, which JSON has a stand-in for (toJSON): hand over that`)
  }
  return Array.isArray(value) ? faultInArray(value, depth) : faultInObject(value, depth)
}

function faultInArray(array: readonly unknown[], depth: number): Unwritable | undefined {
  for (let i = 0; i < array.length; i++) {
    const fault = faultIn(array[i], depth + 1)
    if (fault) return within(`[${i}]`, fault)
  }
  return undefined
}

function faultInObject(object: object, depth: number): Unwritable | undefined {
  const prototype = Object.getPrototypeOf(object)
  // Of a Map or a Promise JSON would have {}.
  if (prototype !== Object.prototype && prototype !== null && tagOf(object) !== 'an Object') {
    return here(tagOf(object))
  }
  for (const name of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[name]
    // A member that is undefined is not written, as one may expect.
    const fault = value === undefined ? undefined : faultIn(value, depth + 1)
    if (fault) return within(`.${name}`, fault)
  }
  return undefined
}

const here = (found: string): Unwritable => ({ member: '', found })

/** The same fault, seen from further out; of a circle the end of the way is of no interest. */
const within = (step: string, { member, found }: Unwritable): Unwritable => ({
  member: `${step}${member}`.slice(0, 100),
  found,
})

const tagOf = (object: object): string => {
  const tag = Object.prototype.toString.call(object).slice('[object '.length, -1)
  return `${/^[AEIOU]/.test(tag) ? 'an' : 'a'} ${tag}`
}
