import { ArchiveError } from '../errors.ts'

/** Any JSON value as this package holds it: a number whose text a double cannot keep is a `RawNumber`. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonValue[] | JsonObject

export interface JsonObject {
  [member: string]: JsonValue
}

/** A number by its text, such as `1.0` or `12345678901234567890`; `JSON.stringify` prints that text. */
export interface RawNumber {
  readonly rawJSON: string
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

// Both are part of every supported Node.js (V8 11.4), but not yet of TypeScript's library.
const json = JSON as JSON & {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(text: string, reviver: Reviver): JsonValue
}

export const isRawNumber = json.isRawJSON

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** A number from its JSON text: a plain number where that prints the same text again, else a `RawNumber`. */
export function exactNumber(text: string): number | RawNumber {
  const value = Number(text)
  // Object.is tells -0, which prints as 0.
  return String(value) === text && !Object.is(value, -0) ? value : json.rawJSON(text)
}

/**
 * Parses like `JSON.parse`, but keeps the text of numbers that would print otherwise.
 * Throws `SyntaxError` on bad JSON and `ArchiveError` (`limit-depth`) on nesting deeper than `maxDepth`.
 */
export function parseExactly(text: string, maxDepth = 512): JsonValue {
  const value: JsonValue = JSON.parse(text)
  // A reviver makes JSON.parse several times slower, and text in which numbers would suffer is rare:
  // most files hold no number at all, and most numbers are short integers.
  const { hasNumber, hasElement } = survey(value, maxDepth)
  const suspect = (hasNumber && memberNumber.test(text)) || (hasElement && elementNumber.test(text))
  return suspect ? json.parse(text, keepNumber) : value
}

// What may print otherwise: a fraction, an exponent, sixteen digits and more, minus zero. The pattern for
// elements also matches prose, which costs time and nothing else.
const memberNumber = /"\s*:\s*-?(?:\d+[.eE]|\d{16}|0(?<=-0))/
const elementNumber = /(?:^|[[,])\s*-?(?:\d+[.eE]|\d{16}|0(?<=-0))/

const keepNumber: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined ? exactNumber(source) : value

interface Survey {
  /** A number stands somewhere as the value of a member. */
  hasNumber: boolean
  /** A number stands somewhere as an element of an array, or alone. */
  hasElement: boolean
}

// Level by level instead of recursive, because hostile JSON is nested deeper than the stack. This looks at
// every value of every file: for-in is the fastest way there is.
function survey(root: JsonValue, maxDepth: number): Survey {
  const found: Survey = { hasNumber: false, hasElement: typeof root === 'number' }
  let level = typeof root === 'object' && root !== null ? [root] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) {
      throw new ArchiveError('limit-depth', `JSON is nested deeper than ${maxDepth}`)
    }
    const next: typeof level = []
    for (const parent of level) {
      if (Array.isArray(parent)) {
        for (const child of parent) {
          if (typeof child === 'object' && child !== null) next.push(child)
          else if (typeof child === 'number') found.hasElement = true
        }
      } else {
        for (const name in parent) {
          const child = (parent as JsonObject)[name]
          if (typeof child === 'object' && child !== null) next.push(child)
          else if (typeof child === 'number') found.hasNumber = true
        }
      }
    }
    level = next
  }
  return found
}
