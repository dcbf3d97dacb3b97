import type { Token } from 'stream-json/core/parser.js'
import { ArchiveError } from '../../errors.ts'
import type { Bytes } from '../../streams.ts'
import type { JsonValue } from './json.ts'
import { ExactAssembler, type Loss } from './lossless-assembler.ts'
import { tooDeep } from './parse-lossless.ts'
import { openTokenizer } from './parse-tokens.ts'

/**
 * The elements of a JSON array too large to hold, as many at a time as a chunk completes.
 * Throws `SyntaxError`, and `ArchiveError` with `json-not-array`, `limit-depth`, `limit-record`.
 */
export async function* splitElements(
  bytes: Bytes,
  limits: { depth: number; record: number },
  { decoder = new TextDecoder(), lose }: SplitOptions = {},
): AsyncGenerator<JsonValue[]> {
  const tokenize = openTokenizer()
  const splitter = new Splitter(limits, lose)
  const most = mostParts(limits)
  let pending = 0
  let escapes = 0
  for await (const chunk of bytes) {
    const elements = splitter.take(tokenize(decoder.decode(chunk, { stream: true })))
    pending = elements.length > 0 ? 0 : pending + chunk.length
    escapes = elements.length > 0 ? 0 : escapes + countEscapes(chunk)
    if (pending > limits.record) throw tooLarge(limits.record)
    if (escapes > most) {
      throw new ArchiveError('limit-record', `a record with more than ${most} escapes in its texts`)
    }
    if (elements.length > 0) yield elements
  }
  yield splitter.take(tokenize(decoder.decode()))
  yield splitter.take(tokenize())
}

export interface SplitOptions {
  decoder?: Decoder
  /** Is told of what an object cannot hold; the path begins with the element, from 0. */
  lose?: ((loss: Loss) => void) | undefined
}

/** Makes text of bytes that arrive in pieces. */
export interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string
}

/** Cuts the tokens of an array into its elements. */
class Splitter {
  readonly #limits: { depth: number; record: number }
  readonly #element: ExactAssembler
  readonly #maxTokens: number
  #depth = 0
  #done = 0
  /** Tokens of the element that is not done. */
  #tokens = 0

  constructor(limits: { depth: number; record: number }, lose?: (loss: Loss) => void) {
    this.#limits = limits
    this.#maxTokens = mostParts(limits)
    this.#element = new ExactAssembler(
      lose && ((loss) => lose({ ...loss, path: [this.#done, ...loss.path] })),
    )
  }

  take(tokens: readonly Token[]): JsonValue[] {
    const elements: JsonValue[] = []
    for (const token of tokens) {
      const { name } = token
      const opens = name === 'startArray' || name === 'startObject'
      const closes = name === 'endArray' || name === 'endObject'
      if (closes) this.#depth--
      if (this.#depth === 0) {
        if (!opens && !closes) throw notAnArray('a single value')
        if (name === 'startObject') throw notAnArray('an object')
      } else {
        this.#element.consume(token)
        if (++this.#tokens > this.#maxTokens) throw tooManyParts(this.#limits)
        if (this.#depth === 1 && this.#element.done) {
          elements.push(this.#element.current as JsonValue)
          this.#done++
          this.#tokens = 0
        }
      }
      if (opens && ++this.#depth > this.#limits.depth + 1) throw tooDeep(this.#limits.depth)
    }
    return elements
  }
}

/** Bytes that a token or an escape counts for, however short: an empty array takes more memory than its text. */
const LEAST = 8

/** So many may be short, whatever the limit. */
const FREE = 10_000

/** Brackets, names and values that a record may have. */
export const mostParts = ({ record }: { record: number }): number =>
  Math.max(Math.floor(record / LEAST), FREE)

export const tooManyParts = (limits: { record: number }): ArchiveError =>
  new ArchiveError(
    'limit-record',
    `a record with more than ${mostParts(limits)} brackets, names and values`,
  )

function countEscapes(chunk: Uint8Array): number {
  let count = 0
  for (const byte of chunk) if (byte === 0x5c) count++
  return count
}

const tooLarge = (bytes: number) =>
  new ArchiveError('limit-record', `a record of more than ${bytes} bytes`)

const notAnArray = (found: string) =>
  new ArchiveError('json-not-array', `expected an array of records, found ${found}`)
