import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { type PersonKey, personJson, personOf } from './people.ts'
import type { Rendering } from './rendering.ts'

/**
 * An object as JSON, to be kept without the people in it: a person has 1 KB, and without people an issue has 2 and an event less
 * than one.
 */
export interface KeptJson {
  /** The text, with `PLACE` for each person. */
  readonly text: string
  readonly people: readonly PersonKey[]
}

/** Stands for a person: JSON has such a character only as an escape. */
const PLACE = '\0'

/** The same as JSON prints it. */
const PRINTED = JSON.stringify(PLACE)

/** Prints an object to be kept. People are those that `toUser` described. */
export function keepJson(value: JsonObject): KeptJson {
  const people: PersonKey[] = []
  let isAmbiguous = false
  const withPlaces = (name: string, member: JsonValue): JsonValue => {
    // A text of an archive may be that character alone.
    isAmbiguous ||= member === PLACE || name === PLACE
    const person = typeof member === 'object' && member !== null ? personOf(member) : undefined
    if (person === undefined) return member
    people.push(person)
    return PLACE
  }
  const json = JSON.stringify(value, withPlaces)
  if (isAmbiguous) return { text: JSON.stringify(value), people: [] }
  return { text: json.replaceAll(PRINTED, PLACE), people }
}

/** The JSON of the object with the people in it. */
export function wholeJson(rendering: Rendering, { text, people }: KeptJson): string {
  const [first = '', ...texts] = text.split(PLACE)
  return texts.reduce(
    (whole, next, i) => whole + personJson(rendering, people[i] as PersonKey) + next,
    first,
  )
}

/** Bytes of memory that a kept object takes: one for each character, or two if one of them is not Latin-1. */
export const sizeOfKept = ({ text, people }: KeptJson): number =>
  (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length + 40 * people.length
