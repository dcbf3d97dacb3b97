import { isUtf8 } from 'node:buffer'
import {
  aCount,
  aFlag,
  aFunction,
  anObject,
  aText,
  checkArguments,
  checkOptions,
  objectOf,
  type Shapes,
  someBytes,
} from '../base/check-arguments.ts'
import { ArchiveError, type Report } from '../base/errors.ts'
import { DEEPEST, DEFAULT_LIMITS } from '../base/limits.ts'
import { type Bytes, onlyBytes, peek } from '../base/streams.ts'
import { describeLoss } from './json/describe-loss.ts'
import { isObject, type JsonObject, type JsonValue, typeName } from './json/json.ts'
import { decodeUtf8 } from './json/latin1.ts'
import type { Loss } from './json/lossless-assembler.ts'
import { elementsOrNone, parseElements } from './json/parse-elements.ts'
import { type LostPart, readElements } from './json/read-elements.ts'
import type { JsonForm } from './write-records.ts'

/** A record and its place. */
export interface PlacedRecord {
  /** The record, with all of its members. */
  record: JsonObject
  /** Path of the entry in the archive. */
  entry: string
  /** Number of the record in the entry, from 1. */
  index: number
}

/** How to read a record file. */
export interface ReadRecordsOptions {
  /** `depth`: levels of nesting; `record`: bytes of one record's JSON. */
  limits?: { depth?: number; record?: number } | undefined
  /** Receives each problem. */
  report?: Report | undefined
  /** Filled in with the form of the JSON, as soon as it is known. */
  form?: Partial<JsonForm> | undefined
  /** Skip damaged parts, report them (`record-lost`), and continue with the next record. Default false. */
  salvage?: boolean | undefined
  /** Decode each byte as one character: faster, and correct if only ASCII matters. Default false. */
  bytesAsText?: boolean | undefined
}

const READ_RECORDS_SHAPES: Shapes<ReadRecordsOptions> = {
  limits: objectOf({ depth: aCount, record: aCount }),
  report: aFunction,
  form: anObject,
  salvage: aFlag,
  bytesAsText: aFlag,
}

/**
 * Streams the records of a record file, a JSON array of objects of any size. Skips and reports other elements
 * (`record-not-object`). The inverse of `writeRecords`.
 *
 * @param content the bytes of the file
 * @param entry its path, for messages
 * @param options limits, reports and salvage
 * @returns the records with their numbers
 * @throws `json-damaged`, `json-not-array`, `limit-depth`, `limit-record`, `content-not-bytes` or `option-invalid`
 * @example
 * for await (const { record } of readRecords(content, 'issues_000001.json')) urls.push(record.url)
 */
export async function* readRecords(
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions = {},
): AsyncGenerator<PlacedRecord> {
  checkArguments({ content, entry }, { content: someBytes, entry: aText })
  checkOptions(options, READ_RECORDS_SHAPES)
  for await (const batch of readRecordBatches(onlyBytes(content), entry, options)) yield* batch
}

/** Like `readRecords`, with as many records at a time as one chunk completes. */
export async function* readRecordBatches(
  content: Bytes,
  entry: string,
  { limits, form, salvage = false, ...options }: ReadRecordsOptions = {},
): AsyncGenerator<PlacedRecord[]> {
  const bytesAsText = !salvage && options.bytesAsText === true
  const report = bytesAsText ? withTextOf(options.report) : options.report
  const { record = DEFAULT_LIMITS.record } = limits ?? {}
  const depth = Math.min(limits?.depth ?? DEFAULT_LIMITS.depth, DEEPEST)
  const whole = wholeWithin({ record })
  let index = 0
  const place = (values: JsonValue[]): PlacedRecord[] => {
    const placed: PlacedRecord[] = []
    for (const value of values) {
      index++
      if (isObject(value)) placed.push({ record: value, entry, index })
      else report?.(notAnObject(value, entry, index))
    }
    return placed
  }
  const lose =
    report &&
    (({ path: [element, ...path], ...loss }: Loss) =>
      report(describeLoss({ ...loss, path }, entry, Number(element) + 1)))
  const complain = (code: keyof typeof TEXT_PROBLEMS) =>
    report?.({ code, place: { entry }, message: TEXT_PROBLEMS[code] })
  try {
    const { head, bytes } = await peek(content, whole + 1)
    const bom = head.subarray(0, BOM.length).equals(BOM)
    if (bom) complain('text-bom')
    if (head.length <= whole) {
      if (!isUtf8(head)) complain('text-not-utf8')
      const toText = (part: Buffer): string => {
        const text = part.toString(bytesAsText ? 'latin1' : 'utf8')
        if (form && form.emptyArray === undefined) noteForm(form, text)
        return text
      }
      const array = bom ? head.subarray(BOM.length) : head
      const parsing = { maxDepth: depth, around: 1, lose }
      if (!salvage) {
        for (const values of parseElements(array, toText, parsing)) yield place(values)
        return
      }
      const values = elementsOrNone(toText(array), parsing)
      if (values) {
        yield place(values)
        return
      }
    }
    const isChecked = head.length <= whole
    const watched = isChecked ? bytes : watchUtf8(bytes, () => complain('text-not-utf8'))
    const encoding = bytesAsText ? 'latin1' : 'utf8'
    const reading = { depth, record, salvage, encoding, lose } as const
    for await (const found of readElements(watched, reading)) {
      index = found.index
      if ('lost' in found) report?.(describeLost(found.lost, entry, index + 1))
      else yield place(found.values)
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error.at({ entry })
    if (error instanceof SyntaxError) {
      throw new ArchiveError('json-damaged', error.message, { entry }, error)
    }
    throw error
  }
}

/** Decodes the quotes in problems that were read with `bytesAsText`. */
const withTextOf = (report: Report | undefined): Report | undefined =>
  report &&
  (({ message, content, place, ...problem }) =>
    report({
      ...problem,
      message: decodeUtf8(message),
      place: { ...place, ...(place.member !== undefined && { member: decodeUtf8(place.member) }) },
      ...(content !== undefined && { content: decodeUtf8(content) }),
    }))

const BOM = Buffer.from('\ufeff')

const TEXT_PROBLEMS = {
  'text-bom': 'a byte order mark was removed',
  'text-not-utf8': 'bytes that are not UTF-8 were replaced by U+FFFD',
} as const

/** The same bytes. Calls `complain` once if they are not UTF-8. */
async function* watchUtf8(bytes: Bytes, complain: () => void): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let fine = true
  const watch = (chunk?: Uint8Array) => {
    if (!fine) return
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      fine = false
      complain()
    }
  }
  for await (const chunk of bytes) {
    watch(chunk)
    yield chunk
  }
  watch()
}

function describeLost({ from, to, reason, text }: LostPart, entry: string, record: number) {
  const lost = to > from ? `; bytes ${from} to ${to - 1} of the file were skipped` : ''
  return {
    code: 'record-lost' as const,
    place: { entry, record },
    message: reason + lost,
    ...(text && { content: JSON.stringify(text) }),
  }
}

const notAnObject = (value: JsonValue, entry: string, index: number) => ({
  code: 'record-not-object' as const,
  place: { entry, record: index },
  message: `expected an object, found ${typeName(value)}`,
  content: JSON.stringify(value),
})

/** A file of at most this many bytes is read at once, which is several times faster than piece by piece. */
export const wholeWithin = ({ record = DEFAULT_LIMITS.record }: { record?: number } = {}): number =>
  Math.min(2 * 2 ** 20, record)

// The first empty array that is the value of a member, in either form.
const emptyArray = /(?<!\\)": \[(?:\]|\n\n)/

/** Fills in the form, if the text shows it. */
export function noteForm(form: Partial<JsonForm>, text: string): void {
  const found = emptyArray.exec(text)?.[0]
  if (found) form.emptyArray = found.endsWith(']') ? 'new' : 'old'
}
