/** A JSON value. A number whose text a double cannot keep is a `RawNumber`. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonValue[] | JsonObject

/** A JSON object: values by the names of its members. */
export interface JsonObject {
  [member: string]: JsonValue
}

/** A number by its text, such as `1.0` or `12345678901234567890`; `JSON.stringify` prints that text. */
export interface RawNumber {
  /** The text of the number. */
  readonly rawJSON: string
}

// Both are part of every supported Node.js (V8 11.4), but not yet of TypeScript's library.
const json = JSON as JSON & {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

export const isRawNumber = json.isRawJSON

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** A number from its JSON text: a plain number if it prints as the same text, or else a `RawNumber`. */
export function losslessNumber(text: string): number | RawNumber {
  const value = Number(text)
  // Object.is, because -0 prints as 0.
  return String(value) === text && !Object.is(value, -0) ? value : json.rawJSON(text)
}

/** The text, or an empty one for a value that is none. */
export const textOrEmpty = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : ''

/** The type of a JSON value in words. */
export function typeName(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return 'an object'
  return typeof value === 'object' ? 'a number' : `a ${typeof value}`
}
