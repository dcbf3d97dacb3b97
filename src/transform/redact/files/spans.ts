/** Bytes around a hint within which its value is, and more behind one that begins a long value: a private key, or a token. */
const REACH = 8 * 1024
const FAR = 24 * 1024
/** What long values begin with, and escapes, behind which one may. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of terminals begin with one
const LONG = /^(?:-----BEGIN|\.eyJ|ghs_|[\\%&=\x1b]|[\w+/]{10})/i

/** Merges the surroundings of hints in UTF-8, so that detectors read only these. `hints` are places in rising order. */
export function* spansAround(
  hints: readonly number[],
  bytes: Buffer,
): Generator<{ start: number; end: number }> {
  let span: { start: number; end: number } | undefined
  for (const hint of hints) {
    const reach = LONG.test(bytes.toString('latin1', hint, hint + 10)) ? FAR : REACH
    const start = startOfCharacter(bytes, hint - REACH)
    const end = startOfCharacter(bytes, hint + reach)
    if (span && start <= span.end) span.end = Math.max(span.end, end)
    else {
      if (span) yield span
      span = { start, end }
    }
  }
  if (span) yield span
}

function startOfCharacter(bytes: Uint8Array, at: number): number {
  let start = Math.min(Math.max(0, at), bytes.length)
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}
