import { createLruCache } from '../../base/lru-cache.ts'
import { createPatternFinder, ESCAPED, type PatternFinder } from '../find-patterns.ts'
import { DEEPEST, NAME_OF_TAG, peelEscapes } from './peel-escapes.ts'

/** Escapes for what values have, or what stands before one: of JSON, URLs, HTML, Markdown, programs and terminals. */
const findEscapes = createPatternFinder([
  ESCAPED,
  { pattern: /%[2-7c-f][0-9a-f]/i, signs: '%' },
  { pattern: /&(?:#[\dx]|[a-z]{2,14};)/i, signs: '&' },
  // Those of programs have a backslash that is doubled in JSON.
  { pattern: /\\(?:x\{|x[2-7c-f][0-9a-f]|[01][0-7]{2})/i, signs: '\\' },
  // Of style sheets, of troff, and by name.
  { pattern: /\\(?:(?:0{2,4})?(?:40|2e)|[([]at|N\{)/i, signs: '\\' },
  // Of Markdown.
  { pattern: /\\[_@.:+~ -]/, signs: '\\' },
  // Of RTF, and the line that a shell goes on with, also within JSON.
  { pattern: /\\'[2-7c-f][0-9a-f]|\\U000|\\\r?\n|\\{3}r?n/, signs: '\\' },
  // The at sign of UTF-7, wide letters, characters without a width, full stops in brackets, and tags.
  {
    pattern:
      /\+AEA-|\xef(?:\xbc[\x8d-\xbf]|\xbd[\x81-\x9a]|\xb9\xab|\xbb\xbf|\xbe\xa0)|\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])|\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f])|\xe3\x85\xa4|\xef\xb8[\x80-\x8f]|\xf3\xa0/,
    signs: '+\xef\xe2\xc2\xcd\xd8\xe1\xe3\xf3',
  },
  { pattern: new RegExp(`</?${NAME_OF_TAG}[ \\t\\r\\n>/]`, 'i'), signs: '<' },
  { pattern: /<!--/, signs: '<' },
  { pattern: /\[(?:\.\]|\d[\d;]{0,18}m)/, signs: '[' },
  // Zeros of UTF-16: a character follows each of them.
  { pattern: /\0[^\0]{1,4}\0|\\u0000[^\\]{1,4}\\+u0000/, signs: '\0\\' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors of terminals begin with one
  { pattern: /(?:\x1b|\\u001b|\\e)\[/i, signs: '\x1b\\' },
])

/** Bytes on each side of an escape, at least: a hint has fewer. A quote ends them, since a hint has one at its ends only. */
const REACH = 256
/** Surroundings of escapes that are remembered: labels have the same in all records. */
const MOST_KNOWN = 10_000
const LONGEST_KNOWN = 512

/**
 * Creates a search for escapes that hide a hint: one that is there once they are undone.
 *
 * @param hasHint whether bytes without escapes have a hint
 * @param longest bytes of the longest hint
 */
export function createHiddenHints(
  hasHint: (bytes: Buffer) => boolean,
  longest: number,
): PatternFinder {
  const known = createLruCache<string, { isHint: boolean }>(MOST_KNOWN)
  const reach = Math.max(REACH, longest)
  const look = (run: string): boolean => {
    for (const { text, depth } of peelEscapes(Buffer.from(run, 'latin1').toString())) {
      const bytes = Buffer.from(text)
      if (hasHint(bytes)) return true
      // Escapes within so many others are a reason to look closer.
      if (depth === DEEPEST && findEscapes(bytes, bytes.toString('latin1')).length > 0) return true
    }
    return false
  }
  const isHint = (run: string): boolean => {
    if (run.length > LONGEST_KNOWN) return look(run)
    const found = known.get(run) ?? { isHint: look(run) }
    known.set(run, found)
    return found.isHint
  }
  return (bytes, latin1) => {
    const hints: number[] = []
    const escapes = findEscapes(bytes, latin1)
    for (let i = 0; i < escapes.length; ) {
      const first = escapes[i] as number
      const start = startOfRun(bytes, first, reach)
      let end = first
      for (let at = first; at <= end; at = escapes[i] ?? latin1.length + 1) {
        end = endOfRun(bytes, at, reach)
        while ((escapes[i] ?? latin1.length) <= at && i < escapes.length) i++
      }
      // A part of the whole text, once remembered, would keep all of it in memory.
      if (isHint(bytes.toString('latin1', Math.max(0, start - 1), end + 1))) hints.push(first)
    }
    return hints
  }
}

const QUOTE = 0x22
/** The ends of strings, columns and rows. */
const ENDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  [QUOTE, 0xfe, 0xff].includes(byte) ? 1 : 0,
)

/** Whether a string ends at a place. Quotes of an attribute of HTML do not end the text around its tag. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] as number
  if (ENDS[byte] === 0) return false
  const before = bytes[at - 1] === BACKSLASH ? bytes[at - 2] : bytes[at - 1]
  return byte !== QUOTE || (before !== EQUALS && BEHIND[bytes[at + 1] ?? 0] === 0)
}

const BACKSLASH = 0x5c
const EQUALS = 0x3d
/** What follows the second quote of an attribute: a space, a slash, or the end of the tag. */
const BEHIND = Uint8Array.from({ length: 256 }, (_, byte) =>
  [0x20, 0x2f, 0x3e].includes(byte) ? 1 : 0,
)

function startOfRun(bytes: Uint8Array, at: number, reach: number): number {
  const first = Math.max(0, at - reach)
  let start = at
  while (start > first && !isEnd(bytes, start - 1)) start--
  return start
}

function endOfRun(bytes: Uint8Array, at: number, reach: number): number {
  const last = Math.min(bytes.length, at + reach)
  let end = at
  while (end < last && !isEnd(bytes, end)) end++
  return end
}
