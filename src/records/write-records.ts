import { aFlag, anIterable, checkArguments, checkOptions, oneOf } from '../check-arguments.ts'
import type { JsonObject } from './json/json.ts'

/** The form of JSON where the host's own has changed over the years. */
export interface JsonForm {
  /** `new` prints an empty array as `[]`; `old`, until about 2024, with a blank line in it. */
  emptyArray: 'old' | 'new'
  /** Without any white space, as some exporters write it. Default: with line breaks, indented by two spaces. */
  compact?: boolean | undefined
}

/** Bytes of a piece, in which many records find room. */
const PIECE = 128 * 1024
/** Bytes that a unit of a string's length may take in UTF-8. */
const WIDEST = 3

/**
 * The bytes of a file of records as the host writes it: pretty-printed with two spaces, without a
 * newline at the end, no record in two pieces. The inverse of `readRecords`.
 */
export function* writeRecords(
  records: Iterable<JsonObject>,
  form: JsonForm,
): Generator<Uint8Array> {
  checkArguments({ records }, { records: anIterable })
  checkOptions(form, { emptyArray: oneOf('old', 'new'), compact: aFlag }, 'form')
  const print = printerOf(form)
  const end = form.compact ? 1 : END.length
  let piece = Buffer.alloc(0)
  let length = 0
  let first = true
  for (const record of records) {
    // Printed as the only element of an array, a record has the indentation it needs, and where the array
    // begins there is room for the comma after the record before; its end is for the next to write over.
    const text = print([record])
    if (length + text.length * WIDEST > piece.length) {
      if (length > 0) yield piece.subarray(0, length)
      piece = Buffer.allocUnsafeSlow(Math.max(PIECE, Buffer.byteLength(text)))
      length = 0
    }
    const written = piece.write(text, length)
    if (!first) piece[length] = COMMA
    first = false
    length += written - end
  }
  yield first ? Buffer.from(print([])) : piece.subarray(0, length + end)
}

const COMMA = 0x2c
const END = '\n]'

/** The bytes of one record as they stand between the brackets and commas of its file. */
export function printRecord(record: JsonObject, form: JsonForm): Buffer {
  const text = printerOf(form)([record])
  return Buffer.from(form.compact ? text.slice(1, -1) : text.slice(START.length, -END.length))
}

const START = '[\n  '

const printerOf = ({ emptyArray, compact }: JsonForm) =>
  compact ? JSON.stringify : emptyArray === 'old' ? printOld : printNew

const printNew = (value: JsonObject[]): string => JSON.stringify(value, null, 2)

// Text in JSON has no raw line breaks, so what ends a line is never part of a text.
const empty = /(?:\[\]|\{\})(?=,?(?:\n|$))/g

/** As Ruby's pretty_generate did: what separates elements is there even if they are not. */
function printOld(value: JsonObject[]): string {
  return printNew(value).replace(empty, (brackets, at: number, text: string) => {
    const line = text.lastIndexOf('\n', at) + 1
    const indent = /^ */.exec(text.slice(line, at))?.[0] ?? ''
    return brackets === '[]' ? `[\n\n${indent}]` : `{\n${indent}}`
  })
}
