import { ArchiveError } from '../../base/errors.ts'
import { type JsonValue, typeName } from './json.ts'
import type { Loss } from './lossless-assembler.ts'
import { type ParseOptions, parseLossless } from './parse-lossless.ts'

/**
 * Bytes parsed at a time. V8 allocates a string of more than 128 KiB, at two bytes a character, separately, and freeing
 * that costs more than parsing it.
 */
const PART = 32 * 2 ** 10

/**
 * Parses the elements of a JSON array of records, some at a time. `toText` decodes parts of the array of about `size`
 * bytes, or all of it. Throws like `parseLossless`, and `json-not-array`.
 */
export function* parseElements(
  array: Buffer,
  toText: (bytes: Buffer) => string,
  options: ParseOptions,
  size = PART,
): Generator<JsonValue[]> {
  let start = 0
  let before = 0
  const lose =
    options.lose &&
    (({ path: [index, ...path], ...loss }: Loss) =>
      options.lose?.({ ...loss, path: [before + Number(index), ...path] }))
  const inPart = { ...options, lose }
  for (const comma of commasBetween(array, size)) {
    const text = toText(array.subarray(start, comma))
    const elements = elementsOrNone(start > 0 ? `[${text}]` : `${text}]`, inPart)
    if (elements === undefined) break
    yield elements
    before += elements.length
    start = comma + 1
  }
  const rest = start > 0 && elementsOrNone(`[${toText(array.subarray(start))}`, inPart)
  // Parse the whole text again, so that an error has its position in it.
  yield rest || elementsOf(toText(array), options)
}

/**
 * Where the array may be cut: at commas before what looks like the beginning of its first record. If such a comma is
 * inside a record, the part before it does not parse as an array.
 */
function* commasBetween(array: Buffer, size: number): Generator<number> {
  const beginning = beginningOf(array)
  if (beginning === undefined) return
  for (let start = 0; array.length - start > size; ) {
    const next = array.lastIndexOf(beginning, start + size)
    const comma = next > start ? array.lastIndexOf(',', next) : -1
    if (comma <= start) return
    yield comma
    start = comma + 1
  }
}

/** The first member of the first record, with its white space: usually its type. */
function beginningOf(array: Buffer): Buffer | undefined {
  const head = array.toString('latin1', 0, 200)
  const found = /^\s*\[\s*(\{\s*"[^"\\]*"\s*:\s*"[^"\\]*")/.exec(head)?.[1]
  return found === undefined ? undefined : Buffer.from(found, 'latin1')
}

/** The elements of a JSON array; undefined if `elementsOf` would throw. */
export function elementsOrNone(text: string, options: ParseOptions): JsonValue[] | undefined {
  try {
    return elementsOf(text, options)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ArchiveError) return undefined
    throw error
  }
}

function elementsOf(text: string, options: ParseOptions): JsonValue[] {
  let value: JsonValue
  try {
    value = parseLossless(text, options)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // Say that a file is empty or has an object on each line, not where it stops being JSON.
    const first = /\S/.exec(text)?.[0]
    if (first === undefined) throw new SyntaxError(EMPTY)
    if (first === '{') throw notAnArray('an object')
    throw error
  }
  if (Array.isArray(value)) return value
  throw notAnArray(typeName(value))
}

/** The error for a file without an array. */
export const EMPTY = 'expected an array of records, found an empty file'

/** The error for a file that holds something other than an array. */
export const notAnArray = (found: string): ArchiveError =>
  new ArchiveError('json-not-array', `expected an array of records, found ${found}`)
