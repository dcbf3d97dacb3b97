import type { JsonObject } from './json.ts'

/** The form of JSON where the host's own has changed over the years. */
export interface JsonForm {
  /** `new` prints an empty array as `[]`; `old`, until about 2024, with a blank line in it. */
  emptyArray: 'old' | 'new'
}

/**
 * The bytes of a file of records as the host writes it: pretty-printed with two spaces, without a
 * newline at the end, each record in a piece of its own. The inverse of `readRecords`.
 */
export function* writeRecords(
  records: Iterable<JsonObject>,
  form: JsonForm,
): Generator<Uint8Array> {
  const print = form.emptyArray === 'old' ? printOld : printNew
  let first = true
  for (const record of records) {
    // Printed as the only element of an array, a record has the indentation it needs, and where the array
    // begins there is room for the comma after the record before.
    const bytes = Buffer.from(print([record]))
    if (!first) bytes[0] = COMMA
    first = false
    yield bytes.subarray(0, -2)
  }
  yield Buffer.from(first ? print([]) : '\n]')
}

const COMMA = 0x2c

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
