import { none } from 'stream-chain/defs.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import type { JsonValue } from './json.ts'
import { type Loss, LosslessAssembler } from './lossless-assembler.ts'

/**
 * Parses JSON text, which may come in pieces, token by token, keeping the text of numbers. Several times slower than
 * `JSON.parse`. Throws `SyntaxError`.
 */
export function parseTokens(pieces: Iterable<string>, lose?: (loss: Loss) => void): JsonValue {
  const tokenize = openTokenizer()
  const assembler = new LosslessAssembler(lose)
  for (const piece of pieces) for (const token of tokenize(piece)) assembler.consume(token)
  for (const token of tokenize()) assembler.consume(token)
  return assembler.current as JsonValue
}

/** Throws `SyntaxError` unless JSON text may begin with these pieces. */
export function checkTokens(pieces: Iterable<string>): void {
  const tokenize = openTokenizer()
  for (const piece of pieces) tokenize(piece)
}

/** Cuts pieces of JSON text into tokens; throws `SyntaxError`. Without a piece, returns what is left. */
function openTokenizer(): (text?: string) => readonly Token[] {
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
