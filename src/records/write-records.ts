import { crc32 } from 'node:zlib'
import { aFlag, anIterable, checkArguments, checkOptions, oneOf } from '../base/check-arguments.ts'
import type { JsonObject, JsonValue } from './json/json.ts'

/** The form of JSON, as far as GitHub's has changed over the years. */
export interface JsonForm {
  /** `new` prints an empty array as `[]`; `old`, until about 2024, with a blank line in it. */
  emptyArray: 'old' | 'new'
  /** Print no white space, as some exporters do. Default false: line breaks, and two spaces of indentation. */
  compact?: boolean | undefined
}

/** Bytes of a piece, enough for many records. */
const PIECE = 128 * 1024
/** Bytes that a unit of a string's length may take in UTF-8. */
const WIDEST = 3

/** Elements of a list that are printed together. */
const ELEMENTS = 1000

/**
 * Prints a record file as GitHub does: indented by two spaces, without a newline at the end. A record with a long list is in
 * several pieces, any other in one. The inverse of `readRecords`.
 *
 * @param records the records
 * @param form the form of empty arrays, and whether to print compactly
 * @returns the bytes of the file
 * @throws `option-invalid`
 * @example
 * const bytes = Buffer.concat([...writeRecords([{ type: 'user', url: 'https://forge.example/ada' }], { emptyArray: 'new' })])
 */
export function* writeRecords(
  records: Iterable<JsonObject>,
  form: JsonForm,
): Generator<Uint8Array> {
  checkArguments({ records }, { records: anIterable })
  checkOptions(form, { emptyArray: oneOf('old', 'new'), compact: aFlag }, 'form')
  yield* printRecords(records, form)
}

/**
 * The same. Calls `printed` after each record with its CRC-32, which is that of `printRecord`, or without one if it was printed
 * in several pieces.
 */
export function* printRecords(
  records: Iterable<JsonObject>,
  form: JsonForm,
  printed?: (sum: number | undefined) => void,
): Generator<Uint8Array> {
  const print = printerOf(form)
  const [start, end] = form.compact ? [1, 1] : [START.length, END.length]
  let piece = Buffer.alloc(0)
  let length = 0
  let first = true
  for (const record of records) {
    // As the only element of an array, a record is printed with the right indentation. The beginning of the array leaves
    // room for the comma after the previous record, and the next record overwrites its end.
    let isBeginning = true
    let at = 0
    const isLong = hasLongList(record)
    for (const text of isLong ? printInParts(record, form) : [print([record])]) {
      if (length + text.length * WIDEST > piece.length) {
        if (length > 0) yield piece.subarray(0, length)
        piece = Buffer.allocUnsafeSlow(Math.max(PIECE, Buffer.byteLength(text)))
        length = 0
      }
      at = length
      length += piece.write(text, at)
      if (isBeginning && !first) piece[at] = COMMA
      isBeginning = false
    }
    first = false
    length -= end
    printed?.(isLong ? undefined : crc32(piece.subarray(at + start, length)))
  }
  yield first ? Buffer.from(print([])) : piece.subarray(0, length + end)
}

function hasLongList(record: JsonObject): boolean {
  for (const name in record) if (isLongList(record[name])) return true
  return false
}

/** The text of an array with a record, in parts: with long lists it may have many megabytes. */
function* printInParts(record: JsonObject, form: JsonForm): Generator<string> {
  const { compact = false } = form
  const print = printerOf(form)
  const [open, close] = compact ? ['[{', '}]'] : ['[\n  {', '\n  }\n]']
  const [indent, colon] = compact ? ['', ':'] : ['\n    ', ': ']
  const member = (name: string, value: JsonValue) =>
    print([{ [name]: value }]).slice(open.length, -close.length)
  yield open
  let comma = ''
  for (const [name, value] of Object.entries(record)) {
    if (!isLongList(value)) yield comma + member(name, value)
    else {
      const [start, end] = [`${indent}${JSON.stringify(name)}${colon}[`, `${indent}]`]
      yield comma + start
      for (let i = 0; i < value.length; i += ELEMENTS) {
        const elements = member(name, value.slice(i, i + ELEMENTS))
        yield (i === 0 ? '' : ',') + elements.slice(start.length, -end.length)
      }
      yield end
    }
    comma = ','
  }
  yield close
}

const isLongList = (value: JsonValue | undefined): value is JsonValue[] =>
  Array.isArray(value) && value.length > ELEMENTS

const COMMA = 0x2c
const END = '\n]'
const START = '[\n  '

/** What is before, between and after the records of a file that is not compact. */
export const AROUND = {
  before: Buffer.from(START),
  between: Buffer.from(',\n  '),
  after: Buffer.from(END),
} as const

/** The bytes of a record between the brackets and commas of its file. */
export function printRecord(record: JsonObject, form: JsonForm): Buffer {
  const text = printerOf(form)([record])
  return Buffer.from(form.compact ? text.slice(1, -1) : text.slice(START.length, -END.length))
}

const printerOf = ({ emptyArray, compact }: JsonForm) =>
  compact ? JSON.stringify : emptyArray === 'old' ? printOld : printNew

const printNew = (value: JsonObject[]): string => JSON.stringify(value, null, 2)

// JSON strings have no raw line breaks, so the end of a line is never inside a string.
const empty = /(?:\[\]|\{\})(?=,?(?:\n|$))/g

/** Prints empty arrays as Ruby's pretty_generate did: with the line breaks of a filled one. */
function printOld(value: JsonObject[]): string {
  return printNew(value).replace(empty, (brackets, at: number, text: string) => {
    const line = text.lastIndexOf('\n', at) + 1
    const indent = /^ */.exec(text.slice(line, at))?.[0] ?? ''
    return brackets === '[]' ? `[\n\n${indent}]` : `{\n${indent}}`
  })
}
