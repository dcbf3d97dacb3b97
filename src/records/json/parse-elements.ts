import { ArchiveError } from '../../errors.ts'
import { type JsonValue, nameOf } from './json.ts'
import type { Loss } from './lossless-assembler.ts'
import { type ParseOptions, parseLossless } from './parse-lossless.ts'

/**
 * Bytes that are parsed at a time. V8 keeps a text of more than 128 KiB, two bytes a character, in memory of its own,
 * and to have the system take that back costs more than to parse it.
 */
const PART = 32 * 2 ** 10

/**
 * The elements of a JSON array of records, a part of them at a time. `toText` decodes what it is given: parts of the
 * array of about `size` bytes, or all of it. Throws as `parseLossless` does, and `json-not-array`.
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
  // What is wrong is told with its place in all of the text.
  yield rest || elementsOf(toText(array), options)
}

/**
 * Where the array may be cut: at commas before what looks like the beginning of its first record. If such a comma were
 * inside of a record, what stands before it would be no array.
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

/** The first member of the first record, with the space before it: its type, as the host and exporters write it. */
function beginningOf(array: Buffer): Buffer | undefined {
  const head = array.toString('latin1', 0, 200)
  const found = /^\s*\[\s*(\{\s*"[^"\\]*"\s*:\s*"[^"\\]*")/.exec(head)?.[1]
  return found === undefined ? undefined : Buffer.from(found, 'latin1')
}

/** The elements of a JSON array; nothing if it is none, or one that `elementsOf` would refuse. */
export function elementsOrNone(text: string, options: ParseOptions): JsonValue[] | undefined {
  try {
    return elementsOf(text, options)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ArchiveError) return undefined
    throw error
  }
}

function elementsOf(text: string, options: ParseOptions): JsonValue[] {
  if (text === '') throw new SyntaxError('expected an array of records, found an empty file')
  const value = parseLossless(text, options)
  if (Array.isArray(value)) return value
  throw new ArchiveError('json-not-array', `expected an array of records, found ${nameOf(value)}`)
}
