import { closestMatch } from './closest-match.ts'
import { ArchiveError } from './errors.ts'

/** A test of a value. Returns what is wrong, or nothing. */
export type Shape = (value: unknown) => Mismatch | undefined

export interface Mismatch {
  /** The place in the value, such as `.path` or `[0]`; empty for the value itself. */
  at: string
  expected: string
  found: unknown
  /** The value found, in words. Default: as `describe` says. */
  shown?: string | undefined
}

/** A shape for each option. The compiler reports options without one. */
export type Shapes<Options> = { readonly [Name in keyof Required<Options>]: Shape }

/**
 * Throws `option-invalid` for the first value without the shape of its name, because programs without types may pass
 * anything. Undefined options count as omitted.
 */
export function checkOptions<Options extends object>(
  options: Options,
  shapes: Shapes<Options>,
  name = 'options',
): void {
  const mismatch = objectOf(shapes)(options)
  if (!mismatch) return
  throw mismatched(mismatch.at === '' ? name : mismatch.at.slice(1), mismatch)
}

/** The same for arguments, by name; all are required. */
export function checkArguments<Arguments extends object>(
  values: Arguments,
  shapes: Shapes<Arguments>,
): void {
  for (const [name, shape] of Object.entries<Shape>(shapes)) {
    const mismatch = shape((values as Record<string, unknown>)[name])
    if (mismatch) throw mismatched(name + mismatch.at, mismatch)
  }
}

const mismatched = (name: string, { expected, found, shown = describe(found) }: Mismatch) =>
  new ArchiveError('option-invalid', `${name}: expected ${expected}, found ${shown}`).about(name)

/** A value in the words of a message. */
export function describe(found: unknown): string {
  if (found === null) return 'null'
  if (typeof found === 'string') {
    return found.length > MOST_SHOWN
      ? `a text of ${found.length} characters`
      : JSON.stringify(found)
  }
  if (['number', 'boolean', 'undefined', 'bigint'].includes(typeof found)) return String(found)
  if (found instanceof Date) return Number.isNaN(found.getTime()) ? 'an invalid Date' : 'a Date'
  if (Array.isArray(found)) return 'an array'
  return typeof found === 'object' ? 'an object' : `a ${typeof found}`
}

const MOST_SHOWN = 100

export const is =
  (expected: string, fits: (value: unknown) => boolean): Shape =>
  (value) =>
    fits(value) ? undefined : { at: '', expected, found: value }

const isObjectLike = (value: unknown): value is object =>
  typeof value === 'object' && value !== null

const has = (value: unknown, method: PropertyKey): boolean =>
  value !== undefined &&
  value !== null &&
  typeof (value as Record<PropertyKey, unknown>)[method] === 'function'

export const aText = is('a string', (value) => typeof value === 'string')
export const aFlag = is('true or false', (value) => typeof value === 'boolean')
export const aFunction = is('a function', (value) => typeof value === 'function')
export const aDate = is(
  'a valid Date',
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
)
export const aSignal = is('an AbortSignal', (value) => value instanceof AbortSignal)
/** No system allows an empty path, or NUL in one, for which Node.js throws a TypeError. */
export const aPath = is(
  'a path',
  (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
)
export const aCount = is(
  'a whole number or Infinity',
  (value) =>
    value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
)
export const anObject = is('an object', (value) => isObjectLike(value) && !Array.isArray(value))
export const anIterable = is(
  'an iterable',
  (value) => isObjectLike(value) && has(value, Symbol.iterator),
)
export const aSource = is(
  'an iterable',
  (value) =>
    (isObjectLike(value) || typeof value === 'function') &&
    (has(value, Symbol.asyncIterator) || has(value, Symbol.iterator)),
)
export const someBytes = is('an async iterable of Uint8Array, such as a stream', (value) =>
  has(value, Symbol.asyncIterator),
)
export const anOpenDatabase: Shape = (value) => {
  const isDatabase = has(value, 'prepare') && has(value, 'pragma')
  const { open } = isDatabase ? (value as { open?: unknown }) : {}
  if (open === true) return undefined
  const shown = open === false ? 'a closed one' : undefined
  return { at: '', expected: 'an open Database', found: value, shown }
}

export const integerFrom = (min: number, max: number): Shape =>
  is(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  )

export const oneOf = (...choices: readonly string[]): Shape =>
  is(choices.join(' or '), (value) => (choices as readonly unknown[]).includes(value))

export const anyOf =
  (expected: string, ...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => !shape(value)) ? undefined : { at: '', expected, found: value }

export const listOf =
  (shape: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return { at: '', expected: 'an array', found: value }
    for (const [i, element] of value.entries()) {
      const mismatch = shape(element)
      if (mismatch) return { ...mismatch, at: `[${i}]${mismatch.at}` }
    }
    return undefined
  }

/** An object whose members have these shapes; only the `required` ones must be present. */
export const objectOf =
  (shapes: { readonly [name: string]: Shape }, required: readonly string[] = []): Shape =>
  (value) => {
    const mismatch = anObject(value)
    if (mismatch) return mismatch
    for (const [name, shape] of Object.entries(shapes)) {
      const member = (value as Record<string, unknown>)[name]
      const mismatch = member === undefined && !required.includes(name) ? undefined : shape(member)
      if (mismatch) return { ...mismatch, at: `.${name}${mismatch.at}` }
    }
    return undefined
  }

/** An object all of whose members have one shape, or are undefined. */
export const mapOf =
  (shape: Shape): Shape =>
  (value) =>
    objectOf(Object.fromEntries(Object.keys(Object(value)).map((name) => [name, shape])))(value)

/** Words from a fixed list. The message suggests the closest one. */
export const wordsOf = (words: () => readonly string[]): Shape =>
  listOf((value) => {
    const known = words()
    if (typeof value === 'string' && known.includes(value)) return undefined
    const meant = typeof value === 'string' ? closestMatch(value, known) : undefined
    const expected = meant ? `one that is known (did you mean ${meant}?)` : 'one that is known'
    return { at: '', expected, found: value }
  })
