import { createNeedleFinder, folded, isAt, type NeedleFinder } from '../find-needles.ts'
import { createWordFinder } from '../find-words.ts'
import { type Word, wordsIn } from '../words.ts'

/** Where a value was found in bytes. */
export interface FoundValue {
  at: number
  value: string
}

/** Bytes of a value, at least: a shorter one is part of many words. */
const SHORTEST = 6

/**
 * Creates a search for many values at once in any bytes: as they are, in other case, with `@` as `%40` or `\u0040`, and in
 * base64. A value within a longer word or number is not found. Values of fewer than six bytes are left out.
 */
export function createValueFinder(
  values: Iterable<string>,
): (bytes: Uint8Array) => FoundValue | undefined {
  const { words, others } = valueNeedles(values)
  // A search by words, as a value is never within a longer word, and one for values without words.
  const finders: NeedleFinder<ValueNeedle>[] = [createWordFinder(words), createNeedleFinder(others)]
  return (bytes) => {
    let found: FoundValue | undefined
    for (const find of finders) {
      find(bytes, (at, needle) => {
        if (!isWritten(needle, bytes, at)) return false
        found = { at, value: needle.value }
        return true
      })
      if (found) break
    }
    return found
  }
}

/** A value in one of the ways to write it. */
export interface ValueNeedle {
  value: string
  /** In lower case. */
  form: Uint8Array
}

/** All ways to write values: those to be searched for by their words, and those without words. */
export function valueNeedles(values: Iterable<string>): {
  words: (readonly [Word[], ValueNeedle])[]
  others: (readonly [string, ValueNeedle])[]
} {
  const all = [...needlesOf(values)].map(([text, needle]) => ({
    text,
    words: wordsIn(text),
    needle,
  }))
  return {
    words: all.filter(({ words }) => words.length > 0).map(({ words, needle }) => [words, needle]),
    others: all.filter(({ words }) => words.length === 0).map(({ text, needle }) => [text, needle]),
  }
}

/** Whether a value is at a place in bytes, and not within a longer word or number. */
export const isWritten = ({ form }: ValueNeedle, bytes: Uint8Array, at: number): boolean =>
  isAt(form, bytes, at) && isWhole(bytes, at, at + form.length)

function* needlesOf(values: Iterable<string>): Generator<readonly [string, ValueNeedle]> {
  for (const value of values) {
    for (const text of formsOf(value)) {
      const form = folded(Buffer.from(text))
      if (form.length >= SHORTEST) yield [text, { value, form }]
    }
  }
}

/** The ways in which a value may be written, apart from the case of ASCII letters. */
function formsOf(value: string): Set<string> {
  const lower = value.toLowerCase()
  const forms = new Set<string>()
  for (const text of [value, lower]) {
    forms.add(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
    const encoded = Buffer.from(text)
      .toString('base64')
      .replace(/(?<!=)=+$/, '')
    if (encoded.length >= 12) forms.add(encoded)
  }
  for (const text of [...forms].slice(0, 1)) {
    forms.add(text.replaceAll('@', '%40'))
    forms.add(text.replaceAll('@', '\\u0040'))
    forms.add(JSON.stringify(text).slice(1, -1))
  }
  return forms
}

function isWhole(bytes: Uint8Array, start: number, end: number): boolean {
  if (isInner(bytes[start]) && isInner(bytes[start - 1])) return false
  if (isInner(bytes[end - 1]) && isInner(bytes[end])) return false
  // A number goes on behind its full stop, or began before one.
  if (isDigit(bytes[start]) && bytes[start - 1] === 0x2e && isDigit(bytes[start - 2])) return false
  return !(isDigit(bytes[end - 1]) && bytes[end] === 0x2e && isDigit(bytes[end + 1]))
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39

/** Letters, digits and _; bytes of other letters, too. */
const isInner = (byte = 0): boolean =>
  isDigit(byte) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x5f ||
  byte >= 0x80
