import type { SafeText } from '../command/safe-text.ts'
import { escapeControlsButNewlines } from './escape-controls.ts'

/** Bytes and text for a terminal: decoded as UTF-8, with control characters as escapes. */
export async function* shownOnTerminal(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<SafeText> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    // Half of a pair (CR LF, two surrogates) waits for the next piece.
    const end = /[\r\p{Cs}]$/u.test(text) ? text.length - 1 : text.length
    yield escapeControlsButNewlines(text.slice(0, end))
    text = text.slice(end)
  }
  const rest = escapeControlsButNewlines(text + decoder.decode())
  if (rest !== '') yield rest
}
