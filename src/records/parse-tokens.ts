import { none } from 'stream-chain/defs.js'
import { Assembler } from 'stream-json/core/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { exactNumber, type JsonValue } from './json.ts'

/** Cuts JSON text that arrives in pieces into tokens; throws `SyntaxError`. Without text, what is left. */
export function openTokenizer(): (text?: string) => readonly Token[] {
  const parse = jsonParser({ streamValues: false })
  return (text) => {
    try {
      const result = parse(text ?? (none as never))
      return result === none ? [] : (result as { values: Token[] }).values
    } catch (error) {
      throw new SyntaxError((error as Error).message, { cause: error })
    }
  }
}

/** Puts values together from tokens, and keeps the text of numbers that a double would change. */
export class ExactAssembler extends Assembler<JsonValue> {
  override numberValue(text: string): void {
    // stringValue puts any value in its place.
    this.stringValue(exactNumber(text) as never)
  }
}

/** The value of a whole JSON text, like `JSON.parse` but token by token, which takes several times as long. */
export function parseTokens(text: string): JsonValue {
  const tokenize = openTokenizer()
  const assembler = new ExactAssembler()
  for (const token of tokenize(text)) assembler.consume(token)
  for (const token of tokenize()) assembler.consume(token)
  return assembler.current as JsonValue
}
