import { none } from 'stream-chain/defs.js'
import { Assembler } from 'stream-json/core/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import { exactNumber, type JsonValue } from './json.ts'

/**
 * The elements of a JSON array too large to hold, as many at a time as a chunk completes.
 * Throws `SyntaxError`, and `ArchiveError` with `json-not-array`, `limit-depth`, `limit-record`.
 */
export async function* splitElements(
  bytes: Bytes,
  limits: { depth: number; record: number },
): AsyncGenerator<JsonValue[]> {
  const parse = jsonParser({ streamValues: false })
  const decoder = new TextDecoder()
  const splitter = new Splitter(limits.depth)
  let pending = 0
  for await (const chunk of bytes) {
    const elements = splitter.take(tokensOf(() => parse(decoder.decode(chunk, { stream: true }))))
    pending = elements.length > 0 ? 0 : pending + chunk.length
    if (pending > limits.record) {
      throw new ArchiveError('limit-record', `a record of more than ${limits.record} bytes`)
    }
    if (elements.length > 0) yield elements
  }
  yield splitter.take(tokensOf(() => parse(decoder.decode())))
  yield splitter.take(tokensOf(() => parse(none as never)))
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

/** Keeps the text of numbers that a double would change. */
class ExactAssembler extends Assembler<JsonValue> {
  override numberValue(text: string): void {
    // stringValue puts any value in its place.
    this.stringValue(exactNumber(text) as never)
  }
}

function tokensOf(parse: () => ReturnType<ReturnType<typeof jsonParser>>): readonly Token[] {
  try {
    const result = parse()
    return result === none ? [] : (result as { values: Token[] }).values
  } catch (error) {
    throw new SyntaxError((error as Error).message, { cause: error })
  }
}

const notAnArray = (found: string) =>
  new ArchiveError('json-not-array', `expected an array of records, found ${found}`)
