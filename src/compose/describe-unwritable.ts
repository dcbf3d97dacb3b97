import { isRawNumber } from '../records/json/json.ts'

/** A value that JSON cannot hold, and its place, such as `labels[0].color`. */
export interface Unwritable {
  member: string
  found: string
}

/** The depth to which a record can be read again. */
const DEEPEST = 512

/** The first value of a record that JSON cannot hold or would silently change; undefined without one. */
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
    // Rules test the values given, not what toJSON would return.
    return here(`${tagOf(value)}, which has a toJSON method: pass its result instead`)
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
  // JSON.stringify would print a Map or a Promise as {}.
  if (prototype !== Object.prototype && prototype !== null && tagOf(object) !== 'an Object') {
    return here(tagOf(object))
  }
  for (const name of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[name]
    // An undefined member is omitted, as expected.
    const fault = value === undefined ? undefined : faultIn(value, depth + 1)
    if (fault) return within(`.${name}`, fault)
  }
  return undefined
}

const here = (found: string): Unwritable => ({ member: '', found })

/** The same fault with a longer path. The path of a cycle is cut. */
const within = (step: string, { member, found }: Unwritable): Unwritable => ({
  member: `${step}${member}`.slice(0, 100),
  found,
})

const tagOf = (object: object): string => {
  const tag = Object.prototype.toString.call(object).slice('[object '.length, -1)
  return `${/^[AEIOU]/.test(tag) ? 'an' : 'a'} ${tag}`
}
