import type { Token } from 'stream-json/core/parser.js'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import type { JsonValue } from './json.ts'
import { ExactAssembler, openTokenizer } from './parse-tokens.ts'

/**
 * The elements of a JSON array too large to hold, as many at a time as a chunk completes.
 * Throws `SyntaxError`, and `ArchiveError` with `json-not-array`, `limit-depth`, `limit-record`.
 */
export async function* splitElements(
  bytes: Bytes,
  limits: { depth: number; record: number },
  decoder: Decoder = new TextDecoder(),
): AsyncGenerator<JsonValue[]> {
  const tokenize = openTokenizer()
  const splitter = new Splitter(limits.depth)
  let pending = 0
  for await (const chunk of bytes) {
    const elements = splitter.take(tokenize(decoder.decode(chunk, { stream: true })))
    pending = elements.length > 0 ? 0 : pending + chunk.length
    if (pending > limits.record) {
      throw new ArchiveError('limit-record', `a record of more than ${limits.record} bytes`)
    }
    if (elements.length > 0) yield elements
  }
  yield splitter.take(tokenize(decoder.decode()))
  yield splitter.take(tokenize())
}

/** Makes text of bytes that arrive in pieces. */
export interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string
}

/** Cuts the tokens of an array into its elements. */
class Splitter {
  readonly #maxDepth: number
  #depth = 0
  #element = new ExactAssembler()

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
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
        if (this.#depth === 1 && this.#element.done)
          elements.push(this.#element.current as JsonValue)
      }
      if (opens && ++this.#depth > this.#maxDepth + 1) {
        throw new ArchiveError('limit-depth', `JSON is nested deeper than ${this.#maxDepth}`)
      }
    }
    return elements
  }
}

const notAnArray = (found: string) =>
  new ArchiveError('json-not-array', `expected an array of records, found ${found}`)
