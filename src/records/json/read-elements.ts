import { StringDecoder } from 'node:string_decoder'
import { ArchiveError } from '../../base/errors.ts'
import type { Bytes } from '../../base/streams.ts'
import { escapePattern } from '../../base/text.ts'
import { ByteWindow } from './byte-window.ts'
import { isObject, type JsonValue, typeName } from './json.ts'
import type { Loss } from './lossless-assembler.ts'
import { EMPTY, notAnArray } from './parse-elements.ts'
import { parseLossless, tooDeep } from './parse-lossless.ts'
import { checkTokens, parseTokens } from './parse-tokens.ts'
import { isSpace, scanElement, startScan } from './scan-element.ts'

/**
 * Consecutive elements of an array, or with `salvage` a part that is not an element. `index` is that of the first element,
 * from 0.
 */
export type Elements = { index: number; values: JsonValue[] } | { index: number; lost: LostPart }

/** The bytes of a file from `from` up to, but not including, `to`. */
export interface LostPart {
  from: number
  to: number
  reason: string
  /** The bytes as text, unless there are many. */
  text: string | undefined
}

export interface ReadElementsOptions {
  /** Levels of nesting in an element. */
  depth: number
  /** Bytes of an element. */
  record: number
  /** Continues after damage at the next element that begins like the ones before it, instead of throwing. */
  salvage?: boolean
  encoding?: 'utf8' | 'latin1'
  /** Called with each loss. The path begins with the index of the element, from 0. */
  lose?: ((loss: Loss) => void) | undefined
  /** Bytes of an element up to which it is parsed as one string; V8 has no strings of 512 MiB. */
  holdable?: number
}

/** The expected part: the opening bracket of the array, an element, a separator, or only white space. */
type Expected = 'start' | 'first' | 'element' | 'separator' | 'end'

/** The state after an expected byte. */
const NEXT: Readonly<Record<Expected, Readonly<Record<string, Expected>>>> = {
  start: { '[': 'first' },
  first: { ']': 'end' },
  element: {},
  separator: { ',': 'element', ']': 'end' },
  end: {},
}

/** The same without an array: the next record may follow without a comma, and brackets close what they are in. */
const NEXT_BARE: typeof NEXT = {
  ...NEXT,
  separator: { ',': 'element', '{': 'element', ']': 'separator', '}': 'separator' },
}

const WRONG = {
  start: 'expected an array of records',
  separator: 'expected a comma or the end of the array',
  end: 'something follows the array',
} as const

/** Bytes of a lost part that are kept as text. */
const KEPT = 64 * 1024

/** How often a byte is scanned on average, at most: after each damage the rest may be scanned without a result. */
const MOST_SCANS = 16

/**
 * Reads the elements of a JSON array, as many at a time as a chunk completes, holding no more than one element and one
 * chunk. Throws `SyntaxError`, and `ArchiveError` with `json-not-array`, `limit-depth`, `limit-record`; with `salvage`
 * nothing but the errors of the source.
 */
export async function* readElements(
  bytes: Bytes,
  { depth, record, salvage = false, encoding, lose, holdable = 2 ** 28 }: ReadElementsOptions,
): AsyncGenerator<Elements> {
  const window = new ByteWindow(bytes)
  const parts = mostParts(record)
  // Salvaging has never counted escapes: they take no more memory than their bytes.
  const limits = { depth, parts, escapes: salvage ? Number.POSITIVE_INFINITY : parts }
  let signature: RegExp | undefined
  let expected = 'start' as Expected
  let index = 0
  let values: JsonValue[] = []
  let scan = startScan()
  let scanned = 0
  let isOver = false
  /** The records are in no array: one by itself, one on each line, or in the array of another object. */
  let isBare = false
  /** Bytes since the last element. */
  let idle = 0

  /** Parses the element that was scanned. */
  const parse = (): JsonValue => {
    const at = index
    const loseHere = lose && ((loss: Loss) => lose({ ...loss, path: [at, ...loss.path] }))
    const element = window.bytes.subarray(0, scan.at)
    if (element.length > holdable) return parseTokens(piecesOf(element, encoding), loseHere)
    return parseLossless(element.toString(encoding), { maxDepth: depth, lose: loseHere })
  }
  /** Moves past white space, separators and complete elements in the window. Throws on anything else. */
  const advance = (): void => {
    for (;;) {
      let blank = 0
      while (isSpace(window.bytes[blank])) blank++
      window.drop(blank)
      idle += blank
      if (idle > record && !salvage) throw exceeded(record, `of more than ${record} bytes`)
      const byte = window.bytes[0]
      if (byte === undefined) return
      const next = (isBare ? NEXT_BARE : NEXT)[expected][String.fromCharCode(byte)]
      if (next) {
        if (byte !== OPEN) window.drop(1)
        expected = next
        continue
      }
      if (expected === 'start' && byte === OPEN) {
        isBare = salvage
        throw notAnArray('an object')
      }
      if (expected !== 'first' && expected !== 'element' && (salvage || expected !== 'start')) {
        throw new SyntaxError(WRONG[expected as keyof typeof WRONG])
      }
      const state = scanElement(window.bytes, scan, limits, isBare)
      const isExceeded = state === 'deep' || state === 'parts' || state === 'escapes'
      // Where damage made the element so large, the damage is the error.
      if (!salvage && (isExceeded || scan.at > record)) {
        checkTokens(piecesOf(window.bytes.subarray(0, scan.at), encoding))
      }
      if (state === 'deep') throw tooDeep(depth)
      if (scan.at > record) throw exceeded(record, `of more than ${record} bytes`)
      if (state === 'parts')
        throw exceeded(record, `with more than ${parts} brackets, names and values`)
      if (state === 'escapes')
        throw exceeded(record, `with more than ${parts} escapes in its texts`)
      if (state === 'broken') throw new SyntaxError(`no JSON at byte ${window.offset + scan.at}`)
      if (state === 'more') {
        if (!isOver) return
        if (scan.depth > 0 || scan.quoted) throw new SyntaxError('the file ends inside it')
      }
      const value = parse()
      if (expected === 'start') throw notAnArray(typeName(value))
      if (salvage) signature ??= signatureOf(window.bytes.toString('latin1', 0, scan.at), value)
      values.push(value)
      window.drop(scan.at)
      scanned += scan.at
      scan = startScan()
      index++
      idle = 0
      expected = 'separator'
    }
  }
  /** Moves past damage to the next beginning of a record, or to the end of the file. */
  const skip = async (reason: string, after: number): Promise<LostPart> => {
    const from = window.offset
    const seen = from + window.bytes.length
    scanned += scan.at
    scan = startScan()
    const again = scanned <= MOST_SCANS * seen + 2 ** 20
    const skipped = await window.skipTo(again ? (signature ?? ANY_RECORD) : undefined, after, KEPT)
    const to = window.offset
    const text = skipped.length === to - from ? skipped.toString('utf8') : undefined
    return { from, to, reason, text }
  }
  try {
    await window.skipMark()
    for (;;) {
      const wrong = tryTo(advance)
      if (values.length > 0) yield { index: index - values.length, values }
      values = []
      if (wrong) {
        if (!salvage) throw wrong
        const inPlace = expected === 'first' || expected === 'element'
        const lost = await skip(wrong.message, inPlace ? 1 : 0)
        // Records in no array are where one is looked for: then nothing is lost.
        if (!isBare || lost.to > lost.from) yield { index, lost }
        // A wrong byte between two records is not a record.
        if (inPlace || lost.to - lost.from > 1) index++
        expected = (await window.peek()) === undefined ? 'end' : 'element'
      } else if (isOver) break
      else isOver = !(await window.more())
    }
    if (expected === 'end' || isBare) return
    const reason = expected === 'start' ? EMPTY : 'the file ends too early'
    if (!salvage) throw new SyntaxError(reason)
    yield { index, lost: { from: window.offset, to: window.offset, reason, text: '' } }
  } finally {
    await window.close()
  }
}

/** The bytes of a file that is too large for one string. */
function* piecesOf(bytes: Buffer, encoding: BufferEncoding | undefined): Generator<string> {
  const decoder = new StringDecoder(encoding)
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield decoder.write(bytes.subarray(at, at + PIECE))
  }
  yield decoder.end()
}

const PIECE = 64 * 1024

/** The reason why `read` fails, if it does. */
function tryTo(read: () => void): SyntaxError | ArchiveError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ArchiveError) return error
    throw error
  }
}

/** Each bracket, name, value or escape counts as this many bytes: an empty array takes more memory than its text. */
const LEAST = 8

/** The number of them that is always allowed. */
const FREE = 10_000

const mostParts = (record: number): number => Math.max(Math.floor(record / LEAST), FREE)

const exceeded = (record: number, predicate: string) =>
  new ArchiveError('limit-record', `a record ${predicate}`).over({ allowed: record })

const OPEN = 0x7b
/** The beginning of a record, before one has been read: its type, as GitHub and exporters write it. */
const ANY_RECORD = /\{\s*"type"\s*:\s*"/g

const NAME = '"(?:[^"\\\\]|\\\\.)*"'
const FIRST_MEMBER = new RegExp(`^\\{\\s*${NAME}\\s*:\\s*`)
const SECOND_NAME = new RegExp(`^(${NAME})(\\s*,\\s*${NAME}\\s*:)`)

/**
 * How the records of a file begin, learned from one of them: with the same white space, and with the same type if that is
 * the first member, or else with the same two names. A string cannot contain this, because its quotes are escaped; only an
 * object inside a record could, with the same members.
 */
function signatureOf(text: string, value: JsonValue): RegExp | undefined {
  const head = isObject(value) ? FIRST_MEMBER.exec(text)?.[0] : undefined
  if (head === undefined) return undefined
  const [, first = '', next = ''] = SECOND_NAME.exec(text.slice(head.length)) ?? []
  const isTyped = /^\{\s*"type"/.test(head)
  const rest = isTyped ? escapePattern(first) : next && `${NAME}${escapePattern(next)}`
  return new RegExp(escapePattern(head) + rest, 'g')
}
