import { describeUnwritable } from './describe-unwritable.ts'
import { FORMS } from './export-form.ts'
import type { Source } from './export-source.ts'

const CHOICES = {
  form: FORMS,
  emptyArray: ['old', 'new'],
  part: ['git', 'metadata'],
} as const

/** Throws `TypeError` for the first option that would be misread, as those of programs without types may be. */
export function checkOptions(given: object): void {
  const options = given as { readonly [name: string]: unknown }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = options[name]
    if (value === undefined || (choices as readonly unknown[]).includes(value)) continue
    throw new TypeError(`${name}: expected ${choices.join(' or ')}, found ${shown(value)}`)
  }
  for (const name of ['date', 'since']) checkDate(name, options[name])
  for (const name of ['kinds', 'repositories']) {
    const value = options[name]
    if (value === undefined || (Array.isArray(value) && value.every(isText))) continue
    throw new TypeError(`${name}: expected an array of texts, found ${shown(value)}`)
  }
  const { schema, urls } = options
  const fault = describeUnwritable({ schema, urls })
  if (fault) throw new TypeError(`${fault.member} is no JSON: ${fault.found}`)
  for (const [type, shape] of Object.entries(urls ?? {})) {
    if (Object.values(typeof shape === 'string' ? [shape] : Object(shape)).every(isText)) continue
    throw new TypeError(
      `urls.${type}: expected a template or several by name, found ${shown(shape)}`,
    )
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** Throws `TypeError` for what is there, but no date. */
export function checkDate(name: string, given: unknown): void {
  if (given === undefined || (given instanceof Date && !Number.isNaN(given.getTime()))) return
  throw new TypeError(`${name}: expected a valid Date, found ${shown(given)}`)
}

/** Throws `TypeError` for what is there, but cannot be gone through. */
export function checkSource(name: string, given: unknown): void {
  if (given === undefined || isSource(given)) return
  throw new TypeError(`${name}: expected an iterable, found ${shown(given)}`)
}

export function isSource(given: unknown): given is Source<unknown> {
  const object = Object(given)
  return [Symbol.asyncIterator, Symbol.iterator].some((way) => typeof object[way] === 'function')
}

/** What was found, as a message says it. */
export function shown(given: unknown): string {
  if (given === null) return 'null'
  if (given instanceof Date) return 'an invalid one'
  if (['string', 'number', 'undefined'].includes(typeof given)) {
    return typeof given === 'string' ? JSON.stringify(given) : String(given)
  }
  return `${typeof given === 'object' ? 'an' : 'a'} ${typeof given}`
}
